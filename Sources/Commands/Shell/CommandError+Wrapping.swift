extension CommandError {
    /// Runs `body` and turns its error into a command's: the way up for each layer's errors.
    static func from<Value, Failure: Error>(
        _ wrap: (Failure) -> CommandError, _ body: () throws(Failure) -> Value
    ) throws(CommandError) -> Value {
        do throws(Failure) {
            return try body()
        } catch {
            throw wrap(error)
        }
    }

    /// The same for a body that waits.
    static func from<Value, Failure: Error>(
        _ wrap: (Failure) -> CommandError, _ body: () async throws(Failure) -> Value
    ) async throws(CommandError) -> Value {
        do throws(Failure) {
            return try await body()
        } catch {
            throw wrap(error)
        }
    }

    /// The same for one expression, whose type tells what it throws.
    static func trying<Value, Failure: Error>(
        _ wrap: (Failure) -> CommandError, _ body: @autoclosure () throws(Failure) -> Value
    ) throws(CommandError) -> Value { try from(wrap, body) }

    /// The same for one expression that waits.
    static func awaiting<Value, Failure: Error>(
        _ wrap: (Failure) -> CommandError, _ body: @autoclosure () async throws(Failure) -> Value
    ) async throws(CommandError) -> Value { try await from(wrap, body) }
}
