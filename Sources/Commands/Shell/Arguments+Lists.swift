internal import CommandLine
internal import Text

extension Arguments {
    /// So many names fit a message.
    private static let mostNames = 12

    /// The error about a list that is not there: the nearest name, else those that there are.
    func unknownList(_ word: String, among names: [String]) -> CommandError {
        usage("there is no list ‘\(Self.shown(word))’" + Self.remark(on: word, among: names))
    }

    /// What follows the sentence that a name is not known: the nearest one, else all of a few.
    static func remark(on word: String, among names: [String]) -> String {
        let nearest = NearestName.remark(on: word, among: names)
        guard nearest.isEmpty else { return nearest }
        guard !names.isEmpty else { return "; there are none yet" }
        let shown = names.sorted().prefix(mostNames).joined(separator: ", ")
        return "; there are: \(shown)" + (names.count > mostNames ? ", …" : "")
    }
}
