import TestSupport

/// What a server does with one write, and what it says of it.
struct EditManner {
    /// What a success does not do.
    enum Ignored: Hashable {
        case nothing
        case everything
        case field(Int)
    }

    /// What the answer shows.
    enum Shape {
        /// What the setting says of all answers: the row, or nothing.
        case usual
        case part, oldRow, otherRow, id, nothing, claim, refusal
    }

    private(set) var ignored = Ignored.nothing
    private(set) var shape = Shape.usual
    /// The effect comes so long after a 202.
    private(set) var delay: Int64?
    let spelling: EditSpelling
    /// For what else is drawn.
    let seed: UInt64

    /// The manner in which the write of `shipment` is taken.
    init(_ setting: EditSetting, _ shipment: EditShipment, at seed: UInt64) {
        self.seed = seed
        spelling = EditSpelling(setting, at: seed)
        let unkindness = setting.unkindness
        func happens(_ one: EditUnkindness) -> Bool { unkindness.happens(one, at: seed) }
        switch shipment.operation.kind {
        case "create":
            if happens(.ignoresCreate) {
                ignored = .everything
            } else if happens(.ignoresCreateField) {
                ignored = Self.field(of: shipment, .ignoresCreateField, seed)
            }
        case "update":
            if happens(.ignoresUpdate) {
                ignored = .everything
            } else if happens(.ignoresUpdateField) {
                ignored = Self.field(of: shipment, .ignoresUpdateField, seed)
            }
        default:
            if happens(.ignoresDelete) { ignored = .everything }
        }
        let shapes: [(EditUnkindness, Shape)] = [
            (.answersPart, .part), (.answersOldRow, .oldRow), (.answersOtherRow, .otherRow),
            (.answersID, .id), (.answersNothing, .nothing), (.answersClaim, .claim),
        ]
        let drawn = shapes.filter { happens($0.0) }.map(\.1)
        shape = drawn.isEmpty ? .usual : drawn[Int(seed % UInt64(drawn.count))]
        if happens(.isLater) {
            delay = EditUnkindnesses.random(.isLater, seed).number(upTo: 40_000)
        }
        if happens(.refuses) { (ignored, shape, delay) = (.everything, .refusal, nil) }
        if happens(.refusesInVain) { (ignored, shape, delay) = (.nothing, .refusal, nil) }
    }

    /// A field of it, but for the title: a row without one would be no row.
    private static func field(
        of shipment: EditShipment, _ one: EditUnkindness, _ seed: UInt64
    ) -> Ignored {
        let fields = shipment.edits.keys.filter { $0 > 0 }.sorted()
        let random = EditUnkindnesses.random(one, seed &+ 1)
        return random.element(of: fields).map { .field($0) } ?? .nothing
    }

    func ignores(_ field: Int) -> Bool { ignored == .everything || ignored == .field(field) }
}
