internal import Text

extension ListProposal {
    /// Adds how only changes are asked for, if a way was found, and why; `read` is how one row is read.
    package mutating func add(_ since: FoundSince, read: FoundRead?) {
        var added = [since.evidence]
        if let value = since.value {
            insert("since", value, behind: "pages")
            if let read {
                insert("read", read.value, behind: "since")
                added.append(Evidence("read", read.sentence))
            } else {
                added.append(
                    Evidence(
                        "read",
                        "left out: no row was found alone at the path of the list and its id. An edit or a"
                            + " delete will wait for the whole list"))
            }
            if declaration.node(at: ["pages"])?.value != .text("none"),
                let warning = since.warning
            {
                warn(warning)
            }
        }
        add(added, behind: "pages")
    }
}
