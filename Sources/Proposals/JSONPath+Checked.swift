internal import Declarations

extension JSONPath {
    /// A path that a declaration can have; nil where a name cannot stand in one.
    static func checked(_ steps: [Step]) -> JSONPath? {
        let path = JSONPath(steps: steps)
        return (try? JSONPath(path.description)) == path ? path : nil
    }
}
