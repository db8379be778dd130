extension CompletionScript {
    /// For zsh's completion system, as the file `_syncd` or sourced after `compinit`.
    package static func zsh(_ commands: [CommandSyntax]) -> String {
        let first = firstWords(commands)
        let names = first.map { word in
            described(word, verbs(of: word, commands).isEmpty ? summary(word, commands) : "")
        }
        let groups = first.filter { !self.verbs(of: $0, commands).isEmpty }.map { group in
            let found = self.verbs(of: group, commands)
            let words = found.map { described($0.verb, $0.command.summary) }
            let verbs = found.map(\.verb).joined(separator: "|")
            return """
                        \(group))
                            if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then
                                entries=(\(words.joined(separator: " ")))
                                _describe -t verbs verb entries
                                return
                            fi
                            if [[ $words[2] == (\(verbs)) ]]; then
                                name="$name $words[2]"
                                shift words
                                (( CURRENT-- ))
                            fi ;;
                """
        }
        let cases = commands.map { command in
            "        \(quoted(command.name))) _arguments "
                + (command.allOptions.map(argument) + operands(of: command, first))
                .joined(separator: " ") + " ;;"
        }
        return """
            #compdef syncd
            # zsh completion for syncd, made by `syncd completion zsh`.

            # Offers the ids or lists that a command prints, each with what it stands for, and the words behind.
            _syncd_ids() {
                local -a entries
                entries=("${(@f)$(syncd $1 $2 2>/dev/null | tail -n +2 | cut -f $3 \\
                    | sed 's/:/\\\\:/g; s/\t/:/')}")
                shift 3
                entries+=("$@")
                _describe -t ids id entries
            }

            _syncd() {
                local -a entries
                local name
                if (( CURRENT == 2 )); then
                    entries=(\(names.joined(separator: " ")))
                    _describe -t commands command entries
                    return
                fi
                shift words
                (( CURRENT-- ))
                name=$words[1]
                case $name in
            \(groups.joined(separator: "\n"))
                esac
                case $name in
            \(cases.joined(separator: "\n"))
                esac
            }
            if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
                _syncd "$@"
            else
                compdef _syncd syncd
            fi

            """
    }

    private static func summary(_ word: String, _ commands: [CommandSyntax]) -> String {
        commands.first { $0.name == word }?.summary ?? ""
    }

    /// `word:what it does`; a colon in the word itself would have to be escaped, and none has one.
    private static func described(_ word: String, _ meaning: String) -> String {
        quoted(meaning.isEmpty ? word : "\(word):\(meaning)")
    }

    private static func argument(_ option: OptionSpec) -> String {
        let meaning = option.meaning.replacing("[", with: "\\[").replacing("]", with: "\\]")
            .replacing(":", with: "\\:")
        guard let value = option.value else { return quoted("--\(option.name)[\(meaning)]") }
        let action = option.takesFile ? "_files" : ""
        return quoted("--\(option.name)=[\(meaning)]:\(value):\(action)")
    }

    private static func operands(of command: CommandSyntax, _ first: [String]) -> [String] {
        let choices = command.name == "help" ? first : command.operands.choices
        let words = choices.joined(separator: " ")
        if let listing = command.operands.listing {
            let place = command.operands.takesList ? "1:list" : "*:id"
            let offer = "_syncd_ids \(listing.command) \(listing.columns) \(words)"
            return [quoted("\(place):{\(offer)}")]
        }
        if !choices.isEmpty { return [quoted("1:operand:(\(words))")] }
        return command.operands.takesFile ? [quoted("1:file:_files")] : []
    }
}
