import TestSupport

/// What some runs have got after seeds of them were kept.
///
/// Their list shows rows with a mark that the table does not have: deleted ones, and those that a filter would leave
/// out. Or some changes have a call of their own. Or the server says in a success that a row is not there, as one in
/// GraphQL does. Or a full text and a history follow the list. No seed that `Tests/failed-edit-seeds` had then is among
/// them.
struct EditMarks {
    private let random: SeededRandom
    private let isDrawn: Bool
    private let isInSuccesses: Bool
    private let isFollowed: Bool

    init(seed: UInt64) {
        random = SeededRandom(seed: seed &* 0x8cb9_2ba7_2f3d_8dd7 ^ 0x0a5e)
        isDrawn = seed % 10 == 2
        isInSuccesses = [4, 20].contains(seed % 30)
        isFollowed = seed % 30 == 9
    }

    func extend(_ setting: inout EditSetting) {
        setting.declaration.isFollowed = isFollowed
        if isInSuccesses {
            setting.refusesInSuccess = true
            if random.happens(60) { setting.declaration.hasRead = true }
        }
        guard isDrawn else { return }
        let kind = random.index(3)
        setting.declaration.hasActions = kind > 0
        guard kind < 2 else { return }
        setting.declaration.hasWhile = true
        setting.declaration.marksDeletes = random.happens(50)
        if random.happens(60) { setting.filteredSize = "11" }
    }
}
