/// What asks for a whole list of which only changes are read.
///
/// Law: a whole list that lacks rows, and does not decide about them alone, asks for another one, up to the third in a
/// row. Each of these asks only for rows that the first one lacked, too. Else a list of which rows are deleted all the
/// time would be read whole each time.
public enum WholeWish: Int64, Sendable, Hashable {
    /// Nothing.
    case none = 0
    /// A person, an increment, or the number of rows.
    case asked = 1
    /// Rows that one whole list lacked, or two in a row.
    case second = 2, third = 3

    /// After how many whole lists in a row a row that they lack asks for another one.
    package var leastMisses: Int64 { max(rawValue, 1) }

    /// What the whole list asks for that was read because of this, if rows that it lacks are undecided.
    package var next: WholeWish {
        switch self {
        case .none, .asked: .second
        case .second, .third: .third
        }
    }
}
