internal import CommandLine
internal import Store
internal import SyncEngine
internal import Text

extension StatusRow {
    /// What keeps changes of the list from the server, and what to do about it.
    var changeRemarks: [(problem: String, hint: String)] {
        var remarks: [(problem: String, hint: String)] = []
        if let halt {
            let hint = halt.state.hint(for: list) ?? "See `syncd outbox list`."
            remarks.append((halt.problem, hint))
        }
        if let problem = changes.problem { remarks.append((problem, WaitingChanges.hint)) }
        return remarks
    }

    /// The same as sentences that name the list.
    func changeSentences(haltHint: String? = nil) -> [String] {
        changeRemarks.enumerated().map { index, remark in
            let isHalt = halt != nil && index == 0
            return Sentence.joined(
                "\(list): \(remark.problem)", isHalt ? haltHint ?? remark.hint : remark.hint)
        }
    }
}
