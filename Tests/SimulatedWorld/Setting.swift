package import ReferenceAPI
import Rules
import SyncEngine
import TestSupport

/// How a simulated world is made: what stays as it is for the whole run.
package struct Setting: Sendable, Hashable {
    /// Machines of the one person, each with a cache and a syncd of its own.
    package var devices = 1
    /// The server honours idempotency keys, and the configuration says so.
    package var usesKeys = false
    /// The todo service.
    package var behaviour = ReferenceBehaviour()
    /// Rows at the server before the first cycle.
    package var firstRows = 0
    /// Rows of the list of movies; 0 leaves the movies out.
    package var movies = 0
    /// Operations under way at once.
    package var concurrency = 4
    /// The list that programs write to, where it is not the todos.
    package var list: DrawnList?

    package init() {}

    /// Whether the server may have stored `title` as `row`.
    func isTitle(_ row: String, of title: String) -> Bool {
        if let list { return isLook(list.look(row), of: list.look(title)) }
        let (row, title) = (FoldedValue(row).description, FoldedValue(title).description)
        guard case .cut = behaviour.altersTitles else { return row == title }
        return title.hasPrefix(row)
    }

    /// With the list that half of all seeds have in place of the todos.
    func withList(of seed: UInt64) -> Setting {
        guard let list = DrawnList(seed: seed, setting: self) else { return self }
        var setting = list.changed(self)
        setting.list = list
        return setting
    }

    /// The title of a new row with this text.
    func title(_ text: String, _ seed: UInt64) -> String {
        list?.title(text, SeededRandom(seed: seed ^ 0x0007_17e5)) ?? text
    }

    /// The text stands last.
    private func isLook(_ row: [String], of look: [String]) -> Bool {
        guard case .cut = behaviour.altersTitles, list?.once.isColumn == false,
            let end = row.last, let text = look.last
        else { return row == look }
        return row.dropLast() == look.dropLast() && text.hasPrefix(end)
    }

    /// By what operations wait for each other.
    func look(_ title: String) -> [String] {
        list?.look(title) ?? [FoldedValue(title).description]
    }

    /// Titles are longer than what the server keeps of them.
    func fresh(_ title: String) -> String {
        guard case .cut = behaviour.altersTitles else { return title }
        return title + ", and so on to more characters than this server keeps of any title"
    }

    static let email = "demo@example.com"
    static let password = "demo"
    static let timeoutMilliseconds: Int64 = 10_000
    static let intervalMilliseconds: Int64 = 60_000
    /// A list that begins so long after an answer decides what became of it.
    static let memoryMilliseconds: Int64 = 60_000
    /// So much later a second list agrees with a first one.
    static let confirmationMilliseconds = min(intervalMilliseconds, 60_000)
    static let moviesIntervalMilliseconds: Int64 = 600_000

    /// The setting that a seed draws.
    init(_ random: SeededRandom) {
        devices = [1, 1, 1, 2, 2, 3][random.index(6)]
        usesKeys = random.happens(30)
        behaviour.honoursIdempotencyKeys = usesKeys
        // What a server keeps must not depend on what the run does, so it has a seed of its own.
        behaviour.seed = random.next()
        behaviour.ids = [.reusedIntegers, .reusedIntegers, .freshIntegers, .texts][random.index(4)]
        behaviour.listOrder = random.happens(50) ? .shuffled : .oldestFirst
        behaviour.deleteAnswer = [.empty, .noContent, .todo][random.index(3)]
        behaviour.entityTags = random.happens(50)
        behaviour.altersTitles =
            [.none, .none, .none, .none, .trimmed, .collapsed, .withoutControls][random.index(7)]
        behaviour.tokenLifetimeSeconds = random.happens(25) ? 90 : 5 * 3600
        if random.happens(10) { behaviour.maxTitleCharacters = 12 }
        firstRows = random.happens(40) ? 8 + random.index(16) : random.index(8)
        movies = random.happens(15) ? [15, 21, 45][random.index(3)] : 0
        concurrency = 1 + random.index(5)
    }
}

extension Setting: CustomStringConvertible {
    package var description: String {
        "\(devices) device(s), ids \(behaviour.ids), list \(behaviour.listOrder), "
            + "delete answers \(behaviour.deleteAnswer), titles \(behaviour.altersTitles), "
            + (usesKeys ? "keys, " : "") + (behaviour.entityTags ? "entity tags, " : "")
            + "tokens live \(behaviour.tokenLifetimeSeconds) s, \(firstRows) rows first, "
            + (behaviour.maxTitleCharacters.map { "titles up to \($0) characters, " } ?? "")
            + "\(movies) movies, \(concurrency) at once" + (list.map { ", \($0)" } ?? "")
    }
}
