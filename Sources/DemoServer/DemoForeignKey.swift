public import ReferenceAPI
import Text

/// A member of the rows of one list that is the id of a row of another.
public struct DemoForeignKey: Sendable, Hashable {
    /// The list whose rows have the member.
    public let list: String
    /// The member, the list that it refers to, and what becomes of the rows.
    public let parent: ReferenceList.Parent

    /// `tasks.project_id=projects` or `tasks.project_id=projects:cascade`.
    ///
    /// - Throws: ``DemoError/usage(_:)`` for anything else.
    init(_ value: String) throws(DemoError) {
        let (child, target) = DemoOptions.halves(value, at: "=")
        let (list, member) = DemoOptions.halves(child, at: ".")
        let (parent, rule) = DemoOptions.halves(target ?? "", at: ":")
        guard !list.isEmpty, let member, !member.isEmpty, !parent.isEmpty else {
            throw .usage(
                "--foreign-key takes a member and a list such as tasks.project_id=projects, not "
                    + "'\(ForeignText(value))'")
        }
        self.list = list
        self.parent = ReferenceList.Parent(
            member: member, list: parent,
            rule: try DemoOptions.word(rule ?? "restrict", of: .foreignKey))
    }
}
