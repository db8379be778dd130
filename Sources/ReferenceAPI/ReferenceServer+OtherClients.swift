/// What happens at the server without a request of ours.
extension ReferenceServer {
    /// Signs somebody up; `nil` when the e-mail has an account.
    @discardableResult
    public mutating func addUser(name: String, email: String, password: String) -> ReferenceID? {
        lastChanges = []
        guard state.user(email: email) == nil else { return nil }
        let id = nextUserID()
        change(
            .userAdded(
                ReferenceState.User(id: id, name: name, email: email, password: password)))
        return id
    }

    /// Another client of the account of `owner` (an e-mail) creates a todo; `nil` without such an
    /// account. The title is altered as for every other create. An empty one makes a row without a
    /// title, as a client of a newer kind may leave.
    @discardableResult
    public mutating func addTodo(owner: String, title: String) -> ReferenceID? {
        lastChanges = []
        guard let user = state.user(email: owner) else { return nil }
        let id = nextTodoID()
        let stored = behaviour.altersTitles(title)
        change(.todoAdded(ReferenceState.Todo(id: id, owner: user.id, title: stored)))
        return id
    }

    /// Another client deletes a todo; `false` when it is gone already.
    @discardableResult
    public mutating func removeTodo(_ id: ReferenceID) -> Bool {
        lastChanges = []
        guard state.todos.contains(where: { $0.id == id }) else { return false }
        change(.todoRemoved(id))
        return true
    }

    /// Forgets users, tokens, todos and kept answers, as a service that holds them in memory does
    /// at a restart; ids start at 1 again.
    public mutating func forgetEverything() {
        lastChanges = []
        change(.everythingForgotten)
    }
}
