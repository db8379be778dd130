public import Rules

/// A page as it is published: where it came from, its version, and its number.
public struct PublishedPage: Sendable, Hashable {
    /// Its place in the order of the pages, from 1.
    public var number: Int
    /// Without credentials: the key of its validators.
    public var url: String
    /// The version that its answer named.
    public var validators: StoredValidators
    /// What it says of itself.
    public var facts: PageFacts

    /// The page `number` from `url`.
    public init(number: Int, url: String, validators: StoredValidators, facts: PageFacts) {
        self.number = number
        self.url = url
        self.validators = validators
        self.facts = facts
    }

    /// The same, to be read anew by the next pull.
    public var withoutValidators: PublishedPage {
        var page = self
        page.validators = .none
        return page
    }

    /// Whether it is known again by its version: one with a row that could not be taken is read anew.
    var isKept: Bool {
        facts.skipped.count == 0
            && (validators.entityTag != nil || validators.lastModified != nil)
    }
}
