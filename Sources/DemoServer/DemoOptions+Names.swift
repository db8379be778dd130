import Text

/// Names that are no options.
extension DemoOptions {
    static func unknown(_ given: String) -> DemoError {
        let remark = NearestName.remark(
            on: given, among: Name.allCases.map(\.rawValue), prefix: "--")
        return .usage("--\(ForeignText(given)) is not an option\(remark)")
    }
}
