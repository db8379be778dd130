extension CompletionScript {
    /// For fish 3 or newer.
    package static func fish(_ commands: [CommandSyntax]) -> String {
        let first = firstWords(commands)
        var lines = first.map { word in
            let summary = commands.first { $0.name == word }?.summary ?? ""
            return offer(quoted(word), at: [], summary)
        }
        for word in first {
            lines += verbs(of: word, commands).map {
                offer(quoted($0.verb), at: [word], $0.command.summary)
            }
        }
        for command in commands {
            let condition = quoted("__syncd_in " + command.words.joined(separator: " "))
            for option in command.allOptions {
                let value = option.value == nil ? "" : option.takesFile ? " -r -F" : " -x"
                lines.append(
                    "complete -c syncd -n \(condition) -l \(option.name)\(value)"
                        + " -d \(quoted(option.meaning))")
            }
            let choices = command.name == "help" ? first : command.operands.choices
            if !choices.isEmpty {
                lines.append(offer(quoted(choices.joined(separator: " ")), at: command.words, ""))
            }
            if let listing = command.operands.listing {
                let rows =
                    "(syncd \(listing.command) 2>/dev/null | tail -n +2 | cut -f \(listing.columns))"
                lines.append(
                    command.operands.takesList
                        ? offer(quoted(rows), at: command.words, "")
                        : "complete -c syncd -n \(condition) -a \(quoted(rows))")
            }
            if command.operands.takesFile {
                lines.append("complete -c syncd -n \(condition) -F")
            }
        }
        return """
            # fish completion for syncd, made by `syncd completion fish`.

            # Whether the words before the cursor begin with these.
            function __syncd_in
                set -l words (commandline -opc)
                set -e words[1]
                test (count $words) -ge (count $argv); or return
                set -l head $words[1..(count $argv)]
                test "$head" = "$argv"
            end

            # Whether the words before the cursor are these and no more.
            function __syncd_at
                set -l words (commandline -opc)
                set -e words[1]
                test "$words" = "$argv"
            end

            complete -c syncd -f
            \(lines.joined(separator: "\n"))

            """
    }

    private static func offer(_ words: String, at place: [String], _ summary: String) -> String {
        let condition = quoted((["__syncd_at"] + place).joined(separator: " "))
        let meaning = summary.isEmpty ? "" : " -d \(quoted(summary))"
        return "complete -c syncd -n \(condition) -a \(words)\(meaning)"
    }
}
