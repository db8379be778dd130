/// The answer to a create: the todo, and the bytes it was read from.
public struct CreatedTodo: Sendable, Hashable {
    /// Has an id. The title is the server's, which may differ from the one sent.
    public var todo: Todo
    /// The answer's body after ``BodyCheck``, for whoever stores the document whole.
    public var body: [UInt8]

    /// A created todo.
    public init(todo: Todo, body: [UInt8]) {
        self.todo = todo
        self.body = body
    }
}
