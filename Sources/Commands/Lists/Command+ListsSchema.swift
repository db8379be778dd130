internal import CommandLine
internal import Configuration
internal import Declarations
internal import Text

extension Command {
    static let listsSchema = Command(
        "lists schema", "Prints a JSON Schema, so that an editor completes and checks.",
        options: [
            OptionSpec("configuration", "that of the configuration, and not of a list")
        ],
        notes: [
            "Save it, and name it in the file under \"$schema\". It is in draft 2020-12. What several keys",
            "mean together, `syncd lists check` and `syncd config` say.",
        ],
        statuses: [.closedPipe],
        examples: [
            "syncd lists schema > list.schema.json",
            "syncd lists schema --configuration > config.schema.json",
        ]
    ) { arguments, composition async throws(CommandError) in
        let document =
            arguments.flags.contains("configuration")
            ? ConfigurationSchema.document : DeclarationSchema.document
        try composition.console.write(text: String(decoding: document.lines, as: UTF8.self))
        return .ok
    }
}
