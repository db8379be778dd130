internal import APIClient
public import Declarations

extension Settings {
    /// Looks up the lists that others refer to. A list whose reference leads nowhere counts as broken, and so does one
    /// that refers to a broken one.
    mutating func lookUpReferences() {
        while true {
            let known = [movies.list, todos.list] + lists
            var found: [ListSettings] = []
            var broken: [BrokenList] = []
            for list in lists {
                do throws(RowReferenceError) {
                    found.append(try list.referring(to: known))
                } catch {
                    let path = "\(listDirectory.path)/\(list.declaration.name).json"
                    broken.append(
                        BrokenList(
                            name: list.declaration.name.text,
                            error: .reference(path: path, error)))
                }
            }
            lists = found
            guard !broken.isEmpty else { return }
            brokenLists += broken
        }
    }
}

extension Settings {
    /// Plain columns of declared lists that look as if they named rows of another list of that server and account.
    public var plainReferences: [PlainReference] {
        lists.filter(\.declaration.isEnabled).flatMap { list in
            list.declaration.plainReferences(
                among: lists.filter { $0.isBeside(list) }.map(\.declaration))
        }
    }
}

extension ListSettings {
    /// Whether rows of both have ids of the same server and account.
    package func isBeside(_ other: ListSettings) -> Bool {
        server.baseURL == other.server.baseURL && server.credential == other.server.credential
            && server.account == other.server.account
    }

    /// The same with its references looked up among the lists that are synced.
    fileprivate func referring(
        to lists: [ListSettings]
    ) throws(RowReferenceError) -> ListSettings {
        for column in declaration.references {
            guard let name = column.reference?.list,
                let other = lists.first(where: { $0.declaration.name == name })
            else { continue }
            guard isBeside(other) else { throw .otherServer(column: column.name, name) }
        }
        let kept = lists.map(\.declaration).filter(\.isEnabled)
        return ListSettings(declaration: try declaration.referring(to: kept), server: server)
    }
}
