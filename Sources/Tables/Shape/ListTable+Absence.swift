internal import Declarations

extension ListTable {
    /// Rows of the table that the list does not have, as a condition.
    public var absent: String {
        "\(table).\(id) IN (SELECT row_id FROM temp.\(missing))"
    }

    /// How many pulls in a row, before this one, did not show a row, as a value.
    public var missedPulls: String {
        """
        ifnull((SELECT pulls FROM missed_row
            WHERE list = \(listName) AND row_id = \(table).\(id)), 0)
        """
    }

    /// Notes the rows that leave, as they are.
    public func noteLeaving(where leaving: String) -> String {
        """
        INSERT OR IGNORE INTO temp.\(touched)
        SELECT \(asItWas("\(table)")) FROM \(table) WHERE \(leaving)
        """
    }

    /// How many rows of the list the table does not have, or not so: those, too, that only moved.
    public var countDiffering: String { "SELECT count(*) FROM temp.\(differing)" }

    /// Forgets the counts of rows that the pull shows, and of those that are gone.
    public var forgetMisses: String {
        """
        DELETE FROM missed_row WHERE list = \(listName)
            AND row_id NOT IN (SELECT row_id FROM temp.\(missing))
        """
    }

    /// Counts the pull for the rows that it does not show.
    public var countMisses: String {
        """
        INSERT INTO missed_row (list, row_id, pulls)
        SELECT \(listName), \(id), 1 FROM \(table) WHERE \(absent)
        ON CONFLICT (list, row_id) DO UPDATE SET pulls = pulls + 1
        """
    }
}
