import Declarations
import Testing

/// S4: what names a row to a person.
@Suite struct LabelTests {
    private static let rules = ServerDescription.Rules(
        problem: { _ in nil }, isOwnMachine: { _ in true })

    private func read(_ columns: String, label: String? = nil) throws -> Declaration {
        let label = label.map { #""label": "\#($0)", "# } ?? ""
        let text =
            #"{"server": "s", "list": "/l", "id": "$.id", \#(label)"columns": {\#(columns)}}"#
        return try Declaration.read(
            Array(text.utf8), name: try ListName("notes"), rules: Self.rules
        ).declaration
    }

    @Test(
        arguments: [
            (
                #""key": "text $.k", "must": {"text": "$.m", "required": true}, "title": "text $.t""#,
                "must"
            ),
            (
                #""key": "text $.k", "n": {"integer": "$.n", "required": true}, "title": "text $.t""#,
                "title"
            ),
            (
                #""at": {"text": "$.a", "required": true}, "name": {"text": "$.n", "required": true}"#,
                "name"
            ),
            (#""key": "text $.k", "Summary": "text $.s", "text": "text $.t""#, "Summary"),
            (#""description": "text $.d", "name": "text $.n""#, "name"),
            (#""title": "integer $.t", "subject": "text $.s""#, "subject"),
            (#""key": "text $.k", "url": "text $.u""#, nil),
        ] as [(String, String?)])
    func `S4: left out, a required text names a row, else a usual name, else its id`(
        columns: String, expected: String?
    ) throws {
        #expect(try read(columns).labelColumn?.name == expected)
    }

    @Test func `S4: the declaration says which column names a row`() throws {
        let columns = #""key": "text $.k", "title": {"text": "$.t", "required": true}"#
        let declaration = try read(columns, label: "key")
        #expect(declaration.labelColumn?.name == "key")
        #expect(try !declaration.hasTable(of: read(columns)))
    }

    @Test(arguments: [
        ("n", #"label is "n", which is no column of text"#),
        ("x", #"label has "x", and there is no such column; the nearest one is n"#),
    ]) func `S4: a label that is no text of the list is refused`(
        label: String, sentence: String
    ) throws {
        let error = #expect(throws: DeclarationError.self) {
            try read(#""n": "integer $.n", "title": "text $.t""#, label: label)
        }
        #expect(error?.problems.map(\.sentence) == [sentence])
    }
}
