extension CompletionScript {
    /// For bash 4 or newer; it needs no bash-completion package.
    package static func bash(_ commands: [CommandSyntax]) -> String {
        let first = firstWords(commands)
        let groups = first.filter { !verbs(of: $0, commands).isEmpty }
        let groupCases = groups.map { group in
            let words = verbs(of: group, commands).map(\.verb).joined(separator: " ")
            return "        \(group)) verbs='\(words)' ;;"
        }
        let cases = commands.map { command in
            let options = command.allOptions.map { "--\($0.name)" }.joined(separator: " ")
            let operands =
                command.name == "help"
                ? first.joined(separator: " ") : command.operands.choices.joined(separator: " ")
            let files = command.operands.takesFile ? " files=1" : ""
            let kind = command.operands.takesList ? "lists" : "ids"
            let ids = command.operands.listing.map { " \(kind)='\($0.command)'" } ?? ""
            return "        \(quoted(command.name))) options='\(options)'"
                + " operands='\(operands)'\(files)\(ids) ;;"
        }
        let valued = Set(commands.flatMap(\.allOptions).filter { $0.value != nil })
        let paths = valued.filter(\.takesFile).map { "--\($0.name)" }.sorted()
        let others = valued.filter { !$0.takesFile && $0.name != "like" }.map { "--\($0.name)" }
            .sorted()
        return """
            # bash completion for syncd, made by `syncd completion bash`.
            _syncd() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
                local name=${COMP_WORDS[1]-} verbs='' options='' operands='' at=2
                local files='' ids='' lists='' values=''
                COMPREPLY=()
                if ((COMP_CWORD == 1)); then
                    mapfile -t COMPREPLY < <(compgen -W '\(first.joined(separator: " "))' -- "$word")
                    return
                fi
                case $name in
            \(groupCases.joined(separator: "\n"))
                esac
                if [[ -n $verbs ]]; then
                    if ((COMP_CWORD == 2)) && [[ $word != -* ]]; then
                        mapfile -t COMPREPLY < <(compgen -W "$verbs" -- "$word")
                        ((${#COMPREPLY[@]} == 0)) || return
                    fi
                    # A command can have a name of its own, and verbs.
                    if [[ " $verbs " == *" ${COMP_WORDS[2]} "* ]]; then
                        name="$name ${COMP_WORDS[2]}" at=3
                    fi
                fi
                # What the configuration and the cache alone know is asked for.
                case "$name $before" in
                    'add '* | 'set '* | 'rm '* | 'login '* | 'declare --like') values=1 ;;
                esac
                # `--config=FILE` is three words to bash: the equals sign is one of them.
                if [[ $word == = ]]; then
                    word='' values=''
                elif [[ $before == = ]]; then
                    before=${COMP_WORDS[COMP_CWORD-2]} values=''
                fi
                case $before in
                    --like) ;;
                    \(paths.joined(separator: "|")))
                        compopt -o filenames
                        mapfile -t COMPREPLY < <(compgen -f -- "$word")
                        return ;;
                    \(others.joined(separator: "|"))) return ;;
                esac
                case $name in
            \(cases.joined(separator: "\n"))
                esac
                if [[ -n $values && $word != -* ]]; then
                    operands=$("${COMP_WORDS[0]}" __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
                    mapfile -t COMPREPLY < <(compgen -W "$operands" -- "$word")
                    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
                elif [[ $word == -* ]]; then
                    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
                elif [[ -n $files ]]; then
                    compopt -o filenames
                    mapfile -t COMPREPLY < <(compgen -f -- "$word")
                elif [[ -n $ids ]]; then
                    # shellcheck disable=SC2086 # The two words of a command.
                    ids=$("${COMP_WORDS[0]}" $ids 2>/dev/null | tail -n +2 | cut -f 1)
                    mapfile -t COMPREPLY < <(compgen -W "$ids" -- "$word")
                elif ((COMP_CWORD == at)); then
                    if [[ -n $lists ]]; then
                        # shellcheck disable=SC2086 # The same.
                        operands+=" $("${COMP_WORDS[0]}" $lists 2>/dev/null | tail -n +2 | cut -f 1)"
                    fi
                    mapfile -t COMPREPLY < <(compgen -W "$operands" -- "$word")
                fi
            }
            complete -F _syncd syncd

            """
    }
}
