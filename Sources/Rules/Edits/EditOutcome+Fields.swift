extension EditOutcome {
    /// Nothing is learned of the column, and what is remembered of it stays.
    mutating func keep(_ field: EditedField, as kept: FieldOutcome) {
        fields[field.name] = kept
        trails[field.name] = field.trail
    }

    /// The base of the column becomes another one.
    func moves(_ field: EditedField) -> Bool {
        guard field.isShown, field.shown != field.base else { return false }
        return fields[field.name] == .taken || fields[field.name] == .overlaid
    }
}
