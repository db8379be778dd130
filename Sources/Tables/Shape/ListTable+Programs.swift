public import Declarations

/// What programs do with the rows of a list, as statements.
extension ListTable {
    /// The columns that a new row can be given; none where the server has no call that adds rows.
    public var givable: [Column] { WritableTable(list: self).givable }

    /// Why programs cannot add rows; nil where they can.
    public var noInsert: String? {
        let table = WritableTable(list: self)
        return table.creates ? nil : table.sentences.noInsert
    }

    /// The columns that a row can be given another value for; none where the server has no call that changes rows.
    public var changeable: [Column] { WritableTable(list: self).updatable }

    /// Why programs cannot change rows; nil where they can.
    public var noUpdate: String? {
        let table = WritableTable(list: self)
        return table.updates ? nil : table.sentences.noUpdate
    }

    /// The name of the column that has the local id.
    public var idName: String { id.name }

    /// Why programs can delete no row; nil where they can delete some. If the server has no call that deletes
    /// rows, these are the rows that it has not got yet.
    public var noDelete: String? {
        let table = WritableTable(list: self)
        return table.creates || table.deletes ? nil : table.sentences.noDelete
    }

    /// Adds a row, and returns its local id. Its values are bound in the order of ``givable``, NULL where none is
    /// given; then a mark is made.
    package var insertion: String {
        let writable = WritableTable(list: self)
        let names = givable.map { SQLName($0.name) }
        let places = names.map { name in
            writable.newMark(for: name).map { "coalesce(?, \($0))" } ?? "?"
        }.joined(separator: ", ")
        let listed = names.map { "\($0)" }.joined(separator: ", ")
        return "INSERT INTO \(table) (\(listed)) VALUES (\(places)) RETURNING \(id)"
    }

    /// How many rows have the local id `?1`.
    package var countOfRow: String { "SELECT count(*) FROM \(table) WHERE \(id) = ?1" }

    /// Deletes the row with the local id `?1`.
    package var deletion: String { "DELETE FROM \(table) WHERE \(id) = ?1" }

    /// Changes the row with the local id `?1`: `?2` and so on are the values of the columns at these places of
    /// ``changeable``.
    package func change(of places: [Int]) -> String {
        let columns = changeable
        let values = places.enumerated().map { index, place in
            "\(SQLName(columns[place].name)) = ?\(index + 2)"
        }
        return "UPDATE \(table) SET \(values.joined(separator: ", ")) WHERE \(id) = ?1"
    }

    /// The number of the update that waits for the row with the local id `?1`.
    package var waitingUpdate: String {
        """
        SELECT seq FROM operation
        WHERE list = \(listName) AND row_id = ?1 AND kind = 'update' AND stage = 1
        """
    }

    /// The number of the delete that waits for the row with the local id `?1`.
    package var waitingDelete: String {
        "SELECT seq FROM operation WHERE list = \(listName) AND row_id = ?1 AND kind = 'delete'"
    }
}
