extension HTTPRequest: CustomStringConvertible {
    /// Method and URL without its query, which can hold a key; no header and no body.
    public var description: String {
        let path = target.prefix { $0 != "?" }
        return "\(method.rawValue) \(origin)\(path)"
    }
}
