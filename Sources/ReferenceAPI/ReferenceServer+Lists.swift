import APIClient

/// The list of a user.
extension ReferenceServer {
    mutating func list(
        _ request: HTTPRequest, of user: ReferenceState.User, query: [String: String]
    ) -> HTTPResponse {
        if let pages = behaviour.pages { return page(request, of: user, query, pages) }
        // The tag is that of the rows, not of their order: that is what makes it weak.
        let written = writtenList(of: user.id)
        switch behaviour.listOrder {
        case .oldestFirst:
            return conditional(Self.json(200, .written(written)), written, request)
        case .shuffled:
            let listed = shuffled(rows(of: user.id))
            return conditional(Self.json(200, .array(listed.map(value))), written, request)
        }
    }

    /// One page of the list, with what tells of further ones.
    private mutating func page(
        _ request: HTTPRequest, of user: ReferenceState.User, _ query: [String: String],
        _ pages: ReferenceBehaviour.Pages
    ) -> HTTPResponse {
        guard let number = Int(query["page"] ?? "1"), number >= 1 else {
            return Self.refusal(400, "page is not a number from 1 on")
        }
        var rows = rows(of: user.id)
        if behaviour.listOrder == .shuffled { rows = shuffled(rows) }
        // No page is larger than the list, so that no product of the two is too large.
        let size = min(max(1, pages.size), max(1, rows.count))
        let start = number > rows.count ? rows.count : min(rows.count, (number - 1) * size)
        let end = min(rows.count, start + size)
        var answer = Self.json(200, .array(rows[start..<end].map(value)))
        switch pages.hint {
        case .none: break
        case .link where end < rows.count:
            answer.fields.append(HTTPField("Link", "</todos?page=\(number + 1)>; rel=\"next\""))
        case .link: break
        case .total: answer.fields.append(HTTPField("X-Total-Count", "\(rows.count)"))
        case .range:
            let shown = start < end ? "\(start)-\(end - 1)" : "*"
            answer.fields.append(HTTPField("Content-Range", "items \(shown)/\(rows.count)"))
        }
        // The same rows with another number of rows beyond them are another answer.
        return conditional(answer, answer.body + "\(rows.count)".utf8, request)
    }

    private mutating func shuffled(_ rows: [ReferenceState.Todo]) -> [ReferenceState.Todo] {
        var random = SeededGenerator(seed: behaviour.seed, number: countList())
        return rows.shuffled(using: &random)
    }

    /// The list of a user, oldest first. It is kept until something changes: writing a long one takes
    /// longer than a client needs to read it. A list that lags changes with time alone.
    private mutating func writtenList(of user: ReferenceID) -> [UInt8] {
        if behaviour.lag == nil, let written = writtenLists[user] { return written }
        let written = JSONOutput.array(rows(of: user).map(value)).bytes()
        writtenLists[user] = written
        return written
    }

    /// What lists show of a user's rows, oldest first.
    private func rows(of user: ReferenceID) -> [ReferenceState.Todo] {
        var rows = shownTodos.filter { $0.owner == user }
        guard let doubled = behaviour.doubledRow, !rows.isEmpty else { return rows }
        // The same row as long as nothing changes, so that an unchanged list looks unchanged.
        var random = SeededGenerator(seed: behaviour.seed, number: state.rowsMade)
        var row = rows[Int.random(in: rows.indices, using: &random)]
        if doubled == .differing { row.title += " (again)" }
        rows.append(row)
        return rows
    }

    /// The todos as they are, or as they were before the last write.
    private var shownTodos: [ReferenceState.Todo] {
        guard let before = beforeLastWrite else { return state.todos }
        switch behaviour.lag {
        case nil: return state.todos
        case .untilNextWrite: return before.todos
        case .seconds(let lag):
            let (age, overflow) = milliseconds.subtractingReportingOverflow(before.milliseconds)
            let isOver = overflow || age / 1000 >= lag
            return isOver ? state.todos : before.todos
        }
    }

    /// A row as it stands in an answer; one without a title has `null`.
    func value(_ todo: ReferenceState.Todo) -> JSONOutput {
        let title = todo.title.isEmpty ? JSONOutput.null : .string(todo.title)
        return .object([(behaviour.idName, Self.value(of: todo.id)), ("title", title)])
    }
}
