internal import CommandLine

extension Command {
    static let completion: Command = Command(
        "completion", "Prints the code that completes command lines in a shell.",
        operands: OperandRule(
            name: "bash, zsh or fish", usage: "bash|zsh|fish", count: 1...1,
            choices: ["bash", "zsh", "fish"]),
        notes: [
            "bash: source it from ~/.bashrc, or write it to",
            "~/.local/share/bash-completion/completions/syncd. zsh: write it to _syncd in a",
            "directory of $fpath. fish: write it to ~/.config/fish/completions/syncd.fish.",
        ],
        examples: [
            "syncd completion bash > ~/.local/share/bash-completion/completions/syncd",
            "source <(syncd completion bash)",
        ]
    ) { arguments, composition async throws(CommandError) in
        let commands = CommandTable.standard.commands
        let text =
            switch arguments.operands[0] {
            case "bash": CompletionScript.bash(commands)
            case "zsh": CompletionScript.zsh(commands)
            case "fish": CompletionScript.fish(commands)
            case let other:
                throw arguments.usage(
                    "`completion` knows bash, zsh and fish, not ‘\(Arguments.shown(other))’")
            }
        try composition.console.write(Array(text.utf8))
        return .ok
    }
}
