/// What a list shows that began less than a minute after an answer is an echo of what was before.
extension CycleLaws {
    private static let minute: Int64 = 60_000

    /// P17, P18: an echo takes no new row away, and brings no deleted row back.
    func checkMinute() {
        for todo in before.byServerID.values {
            guard let id = todo.serverID, after.todos[todo.id]?.serverID != id,
                !run.deleted.contains(id), !run.acknowledged.contains(where: { $0.serverID == id }),
                let made = device.books.made[id], isFresh(made.at), made.todo == todo.id,
                device.world.ledger.isThere(made.row)
            else { continue }
            device.blame("P17: \(id) '\(todo.title)' left within a minute of its answer")
        }
        for todo in after.byServerID.values {
            guard let id = todo.serverID, before.todos[todo.id]?.serverID != id,
                let gone = device.books.gone[id], isFresh(gone.at), run.snapshot?[id] == gone.row,
                // Its id is that of a row that was made since.
                !run.acknowledged.contains(where: { $0.serverID == id })
            else { continue }
            device.blame("P18: \(id) '\(todo.title)' is back within a minute of its delete")
        }
        // Where its process died, nobody outside knows which answers it has written down.
        if report != nil { noteAnswers() }
    }

    private func isFresh(_ at: Int64) -> Bool { run.beganAt < at + Self.minute }

    private func noteAnswers() {
        let now = device.world.clock.now
        device.books.created.formUnion(run.created)
        for answer in run.acknowledged {
            device.books.made[answer.serverID] = (answer.moment, answer.row, answer.todo)
        }
        for id in run.gone {
            if let row = run.snapshot?[id] { device.books.gone[id] = (now, row) }
        }
    }
}
