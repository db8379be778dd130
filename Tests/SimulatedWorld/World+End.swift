import Declarations
import ReferenceAPI
import SQLite
import SyncEngine

/// The laws of a whole run, once the world is quiet.
extension World {
    func checkEnd() {
        // Of a list in pages the cache has one page, and doubt beyond it is the person's to end.
        let isPaged = plan.setting.behaviour.pages != nil
        for device in devices {
            if !isPaged {
                checkQueue(of: device)
                checkCache(of: device)
            }
            checkCreates(of: device)
            if !isPaged { checkDeletes(of: device) }
            if plan.setting.movies > 0 { checkMovies(of: device) }
        }
    }

    /// Only what the server refuses for good may still be there.
    private func checkQueue(of device: Device) {
        if device.hasWork { device.blame("P10: \(device.queueText) is still in the queue") }
    }

    /// Cache and server hold the same rows.
    private func checkCache(of device: Device) {
        let rows = rowsAtServer
        let atServer = rows.map { "\($0.id) '\($0.title)'" }.sorted()
        let titles = rows.map(\.title)
        let image = device.image()
        let leaving = Set(image.operations.values.filter { !$0.isCreate }.map(\.todo))
        let cached = image.byServerID.values
            .map { todo in
                let title = plan.setting.list?.listed(todo.title, in: titles) ?? todo.title
                return "\(todo.serverID ?? "") '\(title)'"
            }.sorted()
        if !leaving.isEmpty { device.blame("P1: a delete of \(leaving) is still there") }
        if atServer != cached {
            let missing = Set(atServer).subtracting(cached).sorted()
            let surplus = Set(cached).subtracting(atServer).sorted()
            device.blame("cache and server differ: missing \(missing), surplus \(surplus)")
        }
    }

    /// P6, P7: every accepted create has one effect. Residues (docs/reliability.md, "What remains"): a row
    /// that another client added in between is taken for it; one that was removed by others before
    /// our pull saw it is made again; one that has the id and title of a row we know is that row.
    private func checkCreates(of device: Device) {
        let waiting = Set(device.image().operations.values.filter(\.isCreate).map(\.todo))
        for (todo, title) in device.books.added.sorted(by: { $0.key < $1.key }) {
            let effects = ledger.effects[LocalTodo(device: device.number, id: todo)] ?? []
            for effect in effects {
                let doubled = (ledger.doubles[effect] ?? []).filter { !device.hasTwin($0) }
                if !doubled.isEmpty {
                    device.blame(
                        "P7: '\(title)' (\(todo)) was made twice: rows \(doubled), \(effect)")
                }
            }
            let isWanted =
                device.books.deleted[todo] == nil && !device.books.dropped.contains(todo)
                && !waiting.contains(todo)
            if isWanted, effects.isEmpty, device.books.adopted[todo] == nil {
                device.blame("P1: '\(title)' (\(todo)) was accepted and is lost")
            }
            if device.books.dropped.contains(todo), effects.contains(where: ledger.isThere) {
                device.blame("P7: '\(title)' (\(todo)) was dropped and is at the server")
            }
        }
    }

    /// Every accepted delete took its row away.
    private func checkDeletes(of device: Device) {
        for (todo, deletion) in device.books.deleted.sorted(by: { $0.key < $1.key }) {
            if let row = deletion.row {
                if ledger.isThere(row) { device.blame("P1: the delete of \(todo) is lost: \(row)") }
                continue
            }
            // Another client's row was taken for it, and went in its place.
            guard device.books.adopted[todo] == nil else { continue }
            let effects = ledger.effects[LocalTodo(device: device.number, id: todo)] ?? []
            for row in effects where ledger.isThere(row) && !device.hasTwin(row) {
                device.blame("P1: \(todo) was deleted before it was made, and is there: \(row)")
            }
        }
    }

    private func checkMovies(of device: Device) {
        let cached = Set(device.read("SELECT id FROM movies") { $0.integer(0) })
        let served = Set(server.movies.ids)
        if cached != served {
            device.blame("movies: cached \(cached.count), at the server \(served.count)")
        }
    }
}
