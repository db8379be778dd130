internal import Rules
internal import Store
internal import Text

extension ColumnMistake {
    /// What is wrong.
    var problem: String {
        "the column \(column) is declared as \(type), and each row that has a value has \(shown) there"
    }

    /// What the person can do about it, in the declaration of the list `name`.
    func hint(of name: String) -> String {
        guard found == "number in a text", ["integer", "real"].contains(type) else {
            return "Correct its type in \(name).json: until then it shows nothing."
        }
        return
            "Write {\"\(type)\": \"…\", \"text\": true} in \(name).json, or declare it as a text."
    }

    private var shown: String {
        switch found {
        case "array": "a list"
        case "object": "an object"
        case "integer": "a whole number"
        case "real": "a number with a fraction, or too large a one"
        case "true", "false": "true or false"
        case "number in a text": "a number in a text"
        default: "a text"
        }
    }
}

extension StatusRow {
    private var excerptRemarks: [(problem: String, hint: String)] {
        guard !excerpt.isEmpty else { return [] }
        return [
            (
                "the list shows less of a row than reads and answers do: it lacks "
                    + excerpt.joined(separator: ", ")
                    + ", and the table keeps what they have shown",
                "Give the column \"in\": \"read\" in \(list).json, and syncd reads each row that changes."
            )
        ]
    }

    private var markRemarks: [(problem: String, hint: String)] {
        let made: String
        switch marks {
        case nil, .kept: return []
        case .dropped: made = "does not store"
        case .cut: made = "stores only the beginning of"
        case .altered: made = "alters"
        }
        return [
            (
                "the server \(made) the mark that \"once\" gives each new row, so a create whose answer is lost is looked"
                    + " for by the columns of \"match\"",
                "Name a column in \"once\" of \(list).json that the server stores as it is sent, or remove \"once\"."
            )
        ]
    }

    /// Changes that increments should have shown: the server's moments are not to be trusted.
    private var missedRemarks: [(problem: String, hint: String)] {
        guard missed > 0 else { return [] }
        let changes = missed == 1 ? "1 change" : "\(missed) changes"
        return [
            (
                "\(changes) that increments did not show came with whole lists, the last of them:"
                    + " \(whyMissed ?? "of unknown rows")",
                "Read whole lists more often by \"whole\" in \(list).json, or check \"moment\"."
            )
        ]
    }

    /// What there is to say of rows and columns of a list though it was taken: what is wrong, and what to do.
    var remarks: [(problem: String, hint: String)] {
        let mistakes = mistakes.map { ($0.problem, $0.hint(of: list)) }
        return changeRemarks + mistakes + excerptRemarks + markRemarks + missedRemarks
            + (skippedProblem.map { [($0, skippedHint)] } ?? [])
    }
}
