internal import Text

/// Where a redirect may lead: to the same origin, and to nothing that can be read in two ways.
///
/// Source: RFC 9110 §10.2.2, RFC 3986 §5.
enum RedirectRule {
    /// Why a redirect is not followed.
    private struct Refusal: Error {
        let reason: String
    }

    /// How many redirects one call follows.
    static let limit = 3

    /// Whether the status asks for a GET elsewhere.
    static func applies(to status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// The target, path and query, that `location` names as seen from `request`.
    ///
    /// - Throws: ``APIError/redirectRefused(_:)``, with no part of `location` but a foreign origin, and nothing of it where
    ///   it holds a secret: the host alone can be a part of one, which would not be found.
    static func target(
        of location: String, from request: HTTPRequest, without secrets: Secrets
    ) throws(APIError) -> String {
        do {
            return try target(of: location, from: request)
        } catch {
            guard secrets.masked(foreign: location) == location else {
                throw .redirectRefused("the Location holds a secret")
            }
            throw .redirectRefused(error.reason)
        }
    }

    private static func target(
        of location: String, from request: HTTPRequest
    ) throws(Refusal) -> String {
        let bytes = Array(location.trimmedHeader.utf8)
        let isPlain = bytes.allSatisfy {
            (0x21...0x7E).contains($0) && !"\\\"<>^`{|}".utf8.contains($0)
        }
        guard !bytes.isEmpty, bytes.count <= 8192, isPlain else {
            throw Refusal(reason: "the Location cannot be read as a URL")
        }
        guard !bytes.starts(with: "//".utf8) else {
            throw Refusal(reason: "the Location names a host without a scheme")
        }
        let whole = bytes[..<(bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex)]
        let reference = try withoutOrigin(whole, same: request.origin)
        let mark = reference.firstIndex(of: UInt8(ascii: "?")) ?? reference.endIndex
        guard PercentEncoding.isTarget(reference[..<mark], extra: "/"),
            PercentEncoding.isTarget(reference[mark...], extra: "/?[]")
        else { throw Refusal(reason: "the Location is not a valid URL") }
        return resolved(path: reference[..<mark], query: reference[mark...], from: request.target)
    }

    /// What follows the origin, where there is one and it is the same; at least a slash then.
    private static func withoutOrigin(
        _ bytes: ArraySlice<UInt8>, same origin: Origin
    ) throws(Refusal) -> ArraySlice<UInt8> {
        let end = bytes.firstIndex { "/?".utf8.contains($0) } ?? bytes.endIndex
        guard let colon = bytes[..<end].firstIndex(of: UInt8(ascii: ":")) else { return bytes }
        guard let scheme = Origin.webScheme(bytes[..<colon]),
            bytes[colon...].starts(with: "://".utf8)
        else { throw Refusal(reason: "the Location is no http or https URL") }
        let rest = bytes[(colon + 3)...]
        let slash = rest.firstIndex { "/?".utf8.contains($0) } ?? rest.endIndex
        let target: Origin
        do {
            target = try Origin(scheme: scheme, authority: rest[..<slash])
        } catch .userInfo {
            throw Refusal(reason: "the Location holds a user name or password")
        } catch {
            throw Refusal(reason: "the Location's host or port is not valid")
        }
        guard target == origin else {
            throw Refusal(reason: "it leads from \(origin) to another server, \(target)")
        }
        let path = rest[slash...]
        guard path.first == UInt8(ascii: "/") else { return Array("/".utf8 + path)[...] }
        return path
    }

    /// A reference without an origin, merged with the target it came from (RFC 3986 §5.3).
    private static func resolved(
        path: ArraySlice<UInt8>, query: ArraySlice<UInt8>, from target: String
    ) -> String {
        let base = Array(target.utf8)
        let basePath = base[..<(base.firstIndex(of: UInt8(ascii: "?")) ?? base.endIndex)]
        if path.isEmpty {
            return String(decoding: (query.isEmpty ? base[...] : basePath) + query, as: UTF8.self)
        }
        let isRelative = path.first != UInt8(ascii: "/")
        let slash = basePath.lastIndex(of: UInt8(ascii: "/")) ?? basePath.startIndex
        let folder = isRelative ? basePath[..<slash] + "/".utf8 : []
        return String(decoding: withoutDots(folder + path) + query, as: UTF8.self)
    }

    /// Resolves `.` and `..` (RFC 3986 §5.2.4) and drops empty segments at the start, which would
    /// read as a host.
    private static func withoutDots(_ path: ArraySlice<UInt8>) -> [UInt8] {
        var kept: [ArraySlice<UInt8>] = []
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (place, segment) in segments.enumerated() where place > 0 {
            let isLast = place == segments.count - 1
            if segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8) {
                if segment.count == 2 { _ = kept.popLast() }
                if isLast { kept.append([]) }
            } else if !(segment.isEmpty && kept.isEmpty && !isLast) {
                kept.append(segment)
            }
        }
        return Array("/".utf8) + Array(kept.joined(separator: "/".utf8))
    }
}
