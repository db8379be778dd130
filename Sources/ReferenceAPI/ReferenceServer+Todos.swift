import APIClient

/// Creates and deletes.
extension ReferenceServer {
    /// A key is kept a day: twice as long as the client repeats one.
    private static let keyLifetimeSeconds: Int64 = 24 * 3600
    /// So many kept answers bring the old ones to an end.
    private static let keptAnswersLimit = 10_000

    private struct NewTodo: Decodable {
        let title: String
    }

    mutating func create(
        _ request: HTTPRequest, for user: ReferenceState.User, at seconds: Int64
    ) -> HTTPResponse {
        let key = request.fields.first { $0.name.lowercased() == "idempotency-key" }?.value
        if behaviour.honoursIdempotencyKeys, let key {
            guard (1...255).contains(key.utf8.count) else {
                return Self.refusal(400, "Idempotency-Key has a length outside 1...255")
            }
            if let kept = state.keptAnswer(key: key, user: user.id) {
                guard kept.requestBody == request.body ?? [] else {
                    return Self.refusal(422, "Idempotency-Key was used for another request")
                }
                return Self.json(200, .written(kept.answerBody))
            }
        }
        let title: String
        switch storedTitle(request) {
        case .failure(let refused): return refused.answer
        case .success(let stored): title = stored
        }
        let todo = ReferenceState.Todo(id: nextTodoID(), owner: user.id, title: title)
        change(.todoAdded(todo))
        let answer = Self.json(200, value(todo))
        if behaviour.honoursIdempotencyKeys, let key {
            keep(answer, key: key, request: request, user: user, at: seconds)
        }
        return answer
    }

    mutating func delete(_ id: String, of user: ReferenceState.User) -> HTTPResponse {
        // Another user's todo is not there.
        guard
            let todo = state.todos.first(where: {
                $0.owner == user.id && $0.id.description == id
            })
        else { return Self.refusal(404, "Not Found") }
        change(.todoRemoved(todo.id))
        switch behaviour.deleteAnswer {
        case .empty: return HTTPResponse(status: 200)
        case .noContent: return HTTPResponse(status: 204)
        case .todo: return Self.json(200, value(todo))
        case .confirmation: return Self.json(200, .object([("ok", .bool(true))]))
        }
    }

    private func storedTitle(_ request: HTTPRequest) -> Result<String, Refused> {
        Self.decoded(NewTodo.self, from: request).flatMap { new in
            let stored = behaviour.altersTitles(new.title)
            guard !stored.isEmpty else {
                return .failure(Refused(answer: Self.refusal(400, "title is empty")))
            }
            if let limit = behaviour.maxTitleCharacters, new.title.count > limit {
                let reason = "title is longer than \(limit) characters"
                return .failure(Refused(answer: Self.refusal(400, reason)))
            }
            return .success(stored)
        }
    }

    private mutating func keep(
        _ answer: HTTPResponse, key: String, request: HTTPRequest, user: ReferenceState.User,
        at seconds: Int64
    ) {
        let (start, overflow) = seconds.subtractingReportingOverflow(Self.keyLifetimeSeconds)
        if state.keptAnswers.count >= Self.keptAnswersLimit, !overflow {
            change(.answersDropped(before: start))
        }
        change(
            .answerKept(
                ReferenceState.KeptAnswer(
                    key: key, user: user.id, requestBody: request.body ?? [],
                    answerBody: answer.body, at: seconds)))
    }
}
