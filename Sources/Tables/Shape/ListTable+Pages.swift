internal import Declarations

extension ListTable {
    /// The validators of a page whose rows are all in the table, and how many rows it has if it named no next page:
    /// `?1` its URL.
    public var storedPage: String {
        """
        SELECT entity_tag, last_modified, iif(next IS NULL, nullif(json_array_length(keys), 0), NULL) FROM validator
        WHERE url = ?1 AND list = \(listName) AND NOT EXISTS (
            SELECT 1 FROM json_each(keys) AS listed
            WHERE listed.value NOT IN (SELECT \(keyOfServer)))
        """
    }

    /// The ids of the rows that the server has, as they are known.
    private var keyOfServer: String {
        isWritable ? "server_id FROM \(WritableTable(list: self).known)" : "\(key) FROM \(table)"
    }

    /// What was kept of a page: its keys, how many they are, and what it told; `?1` its URL.
    public var unchangedPage: String {
        """
        SELECT keys, json_array_length(keys), next, total_pages, total_rows FROM validator
        WHERE url = ?1 AND list = \(listName)
        """
    }

    /// The ids of the staged rows of a page, as a JSON list: `?1` its number.
    public var keysOfPage: String {
        """
        SELECT json_group_array(key)
        FROM (SELECT key FROM temp.\(staged) WHERE \(isOnPage("?1")) ORDER BY position)
        """
    }

    /// Keeps a page: `?1` its URL, `?2` and `?3` its validators, `?4` the ids of its rows, `?5` to `?7` what it
    /// told of the next page, the number of pages and that of rows; `?8` its part.
    public var keepPage: String {
        """
        INSERT INTO validator (url, list, entity_tag, last_modified, keys, next, total_pages, total_rows, part)
        VALUES (?1, \(listName), ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (url) DO UPDATE SET entity_tag = ?2, last_modified = ?3, next = ?5, total_pages = ?6,
            total_rows = ?7, keys = ?4, part = ?8
        WHERE entity_tag IS NOT ?2 OR last_modified IS NOT ?3 OR next IS NOT ?5 OR total_pages IS NOT ?6
            OR total_rows IS NOT ?7 OR keys IS NOT ?4 OR part IS NOT ?8
        """
    }

    /// Forgets the pages that are none of the list, or of its part `?2`, any more: `?1` the URLs of those that are.
    public var forgetPages: String {
        """
        DELETE FROM validator
        WHERE list = \(listName) AND part IS ?2 AND url NOT IN (SELECT value FROM json_each(?1))
        """
    }

    /// How many more rows are staged than different ones.
    public var countDoubled: String { "SELECT count(*) - count(DISTINCT key) FROM temp.\(staged)" }

    /// How many rows the table has.
    public var countRows: String { "SELECT \(shownRows)" }

    /// How many rows the table has, as a value. Of a list that programs write to it is reckoned from what stands
    /// beside it: an index counts the rows of the server, and its own table would have to be read row by row.
    /// Creates are what is queued but for the rest, which is rare. An index has the rest alone, and SQLite takes it
    /// where its condition is repeated and the list is no key.
    var shownRows: String {
        guard isWritable else { return "(SELECT count(*) FROM \(table))" }
        let writable = WritableTable(list: self)
        return """
            (SELECT count(*) FROM \(writable.known))
                        + (SELECT count(*) FROM operation WHERE list = \(listName))
                        - (SELECT count(*) FROM operation WHERE +list = \(listName)
                            AND (state <> 'queued' OR kind <> 'create') AND kind <> 'create')
                        - (SELECT count(*) FROM \(writable.hidden))
            """
    }
}
