internal import Configuration
internal import Store

/// What to do about credentials that a server refuses: once for all of its lists.
struct CredentialMend: Sendable, Hashable {
    private(set) var lists: [String]
    let hint: String

    /// `notes, projects and tasks: …`, with what follows.
    var subject: String {
        lists.count < 2
            ? lists.joined()
            : lists.dropLast().joined(separator: ", ") + " and " + (lists.last ?? "")
    }

    /// One for each thing to do, in the order of the lists.
    static func all(for rows: [StatusRow], _ settings: Settings) -> [CredentialMend] {
        var found: [CredentialMend] = []
        for row in rows
        where settings.keeps(row.list) && SyncState(rawValue: row.state) == .needsCredentials {
            guard let hint = settings.mend(ofList: row.list) else { continue }
            if let place = found.firstIndex(where: { $0.hint == hint }) {
                found[place].lists.append(row.list)
            } else {
                found.append(CredentialMend(lists: [row.list], hint: hint))
            }
        }
        return found
    }
}
