import TestSupport

/// A way in which a server, or a cache before it, says something else than what it did.
///
/// `simulate --edits --only NAMES` takes the raw values.
package enum EditUnkindness: String, Sendable, Hashable, CaseIterable {
    // MARK: Success without effect
    case ignoresCreate = "ignore-create"
    /// One field of it, never the title.
    case ignoresCreateField = "ignore-create-field"
    case ignoresUpdate = "ignore-update"
    case ignoresUpdateField = "ignore-update-field"
    case ignoresDelete = "ignore-delete"

    // MARK: What an answer shows
    /// Only some of the members of the row.
    case answersPart = "answer-part"
    /// The row as it was before; of a delete, the row that is gone.
    case answersOldRow = "answer-old"
    case answersOtherRow = "answer-other"
    case answersID = "answer-id"
    case answersNothing = "answer-none"
    /// What was sent, whatever was done.
    case answersClaim = "answer-claim"
    /// `{"ok": false}`, and nothing is done.
    case refuses = "ok-false"
    /// `{"ok": false}`, and it is done all the same.
    case refusesInVain = "ok-false-effect"
    /// 202, and the effect comes within 40 s.
    case isLater = "async"

    // MARK: What a list shows
    /// Up to 55 s ago; each answer draws its own time, as replicas do.
    case listsLag = "lag"
    case readsLag = "read-lag"
    /// A shared cache keeps lists for up to two minutes, and tells their age.
    case cache = "cache"
    /// The same for up to 50 s, and the age is not told.
    case silentCache = "cache-silent"

    // MARK: How values are spelt and kept
    /// Members in any order, whole numbers as 1 or 1.0, letters as escapes.
    case spells = "spelling"
    /// The server folds white space, and people write values that differ by nothing else.
    case folds = "folds"
    /// The server sets a column of each new row.
    case derives = "derives"

    /// What it asks of the one who draws: a declaration that has what it is about.
    fileprivate func fits(_ declaration: EditDeclaration) -> Bool {
        switch self {
        case .ignoresCreate: declaration.creates
        case .ignoresCreateField: declaration.creates
        case .derives: declaration.creates && declaration.fieldCount > 2
        case .ignoresDelete: declaration.deletes
        case .ignoresUpdate, .ignoresUpdateField, .answersPart, .answersOldRow,
            .answersOtherRow, .answersID, .answersNothing, .answersClaim, .refuses,
            .refusesInVain, .isLater, .listsLag, .readsLag, .cache, .silentCache, .spells,
            .folds:
            true
        }
    }
}

/// How often a run's server is unkind, and in which ways.
///
/// Drawn apart, as ``EditAddition`` is. Half of all seeds have none of it, and among them are those that stood in
/// `Tests/failed-edit-seeds` when this came.
package struct EditUnkindnesses: Sendable, Hashable {
    /// In percent of the requests that it can meet.
    private(set) var rates: [EditUnkindness: Int] = [:]

    var isEmpty: Bool { rates.isEmpty }

    /// None.
    init() {}

    /// Those of `seed`; `only` these, if that is given.
    init(seed: UInt64, only: Set<EditUnkindness>?, for declaration: inout EditDeclaration) {
        let random = SeededRandom(seed: seed &* 0xd6e8_feb8_6659_fd93 ^ Self.salt)
        let isKind = random.happens(50)
        guard only != nil || !isKind else { return }
        let count = 1 + random.index(4)
        var drawn = only ?? []
        for _ in 0..<count where only == nil {
            drawn.insert(random.element(of: EditUnkindness.allCases) ?? .listsLag)
        }
        if drawn.contains(.readsLag) { declaration.hasRead = true }
        if drawn.contains(.spells) { declaration.fieldCount = EditField.all.count }
        for one in EditUnkindness.allCases {
            let rate = [20, 50, 90][random.index(3)]
            if drawn.contains(one), one.fits(declaration) { rates[one] = rate }
        }
    }

    /// Chosen so that no seed of the list gets any.
    private static let salt: UInt64 = 0x7_d947

    func has(_ one: EditUnkindness) -> Bool { rates[one] != nil }

    func without(_ one: EditUnkindness) -> EditUnkindnesses {
        var rest = self
        rest.rates[one] = nil
        return rest
    }

    /// Whether it happens to the request of this seed, whatever else does.
    func happens(_ one: EditUnkindness, at seed: UInt64) -> Bool {
        guard let rate = rates[one] else { return false }
        return Self.random(one, seed).happens(rate)
    }

    /// What else is drawn about it there.
    static func random(_ one: EditUnkindness, _ seed: UInt64) -> SeededRandom {
        let place = EditUnkindness.allCases.firstIndex(of: one) ?? 0
        return SeededRandom(seed: seed ^ UInt64(place + 1) &* 0xa076_1d64_78bd_642f)
    }
}
