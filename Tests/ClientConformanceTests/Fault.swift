import Testing

/// One fault of the catalogue that the network, a server or its certificate can produce.
struct Fault: Sendable, CustomTestStringConvertible {
    let number: String
    let what: String
    /// Why no test of this client over sockets covers it, and what does instead.
    var reason: String?

    init(_ number: String, _ what: String, reason: String? = nil) {
        self.number = number
        self.what = what
        self.reason = reason
    }

    var testDescription: String { "\(number) \(what)" }

    private static let simulated = "what a cycle makes of it: the simulation, SimulationTests"
    private static let stored = "a rule of the store, which reads the rows: StoreTests"

    /// The numbers of the design's fault catalogue, sections 4.1 to 4.4, and those of 4.9 that
    /// come over the network.
    static let all: [Fault] = network + http + payload + trust + input

    private static let network = [
        Fault("N1", "no route, interface down at start"), Fault("N2", "a name that does not exist"),
        Fault("N3", "a name server that is silent"),
        Fault(
            "N4", "IPv6 broken, IPv4 good",
            reason: "needs a name with two addresses of which one is dropped: libcurl's happy "
                + "eyeballs, under the connect timeout that N6 tests"),
        Fault("N5", "connection refused"), Fault("N6", "connection never made"),
        Fault("N7", "reset in TLS, header and body"), Fault("N8", "close before any byte"),
        Fault("N9", "close in the status line and in the header"),
        Fault("N10", "close in a body with a length"),
        Fault("N11", "close in a body without a length"), Fault("N12", "close in a chunk"),
        Fault("N13", "drip"), Fault("N14", "stall within the answer"),
        Fault("N15", "accepted and never answered"),
        Fault("N16", "kept-alive connection dropped, before and after a write was applied"),
        Fault("N17", "a write applied, its answer lost"),
        Fault("N18", "an answer that comes after its repeat", reason: simulated),
        Fault("N19", "a request overtaken by a later one", reason: simulated),
        Fault("N20", "an answer in pieces of one byte"), Fault("N21", "captive portal"),
        Fault("N22", "proxies in the environment"),
        Fault("N23", "a link that flaps", reason: simulated),
        Fault(
            "N24", "large packets vanish",
            reason: "needs a link with a smaller MTU and no ICMP; at the socket it is the stall "
                + "of N15, whose write may have arrived"),
        Fault(
            "N25", "everything vanishes one way",
            reason: "needs a packet filter; at the socket it is N6 before the connection "
                + "stands and N15 after"),
        Fault("N26", "a request delivered twice on the way", reason: simulated),
    ]

    private static let http = [
        Fault("H1", "redirects within the origin"), Fault("H2", "redirects to another server"),
        Fault("H3", "redirect loop"), Fault("H4", "a Location that is no path"),
        Fault("H5", "interim answers"), Fault("H6", "a switch of protocols nobody asked for"),
        Fault("H7", "204 and 205 with a body, 200 without"), Fault("H8", "206 to a plain GET"),
        Fault("H9", "304 without and with validators"), Fault("H10", "odd entity tags"),
        Fault("H11", "400 and 422 on create"), Fault("H12", "404 on delete"),
        Fault("H13", "404 on list, 404 and 405 on create"), Fault("H14", "409"),
        Fault("H15", "410 on list"), Fault("H16", "413"), Fault("H17", "429 with Retry-After"),
        Fault("H18", "500, 502, 503 and 504"), Fault("H19", "statuses that are none"),
        Fault("H20", "chunked trailers"),
        Fault("H21", "Content-Length negative, doubled, too large, 2^63-1"),
        Fault("H22", "sloppy headers, LF only"), Fault("H23", "200 KiB of header"),
        Fault("H24", "bytes behind the answer"), Fault("H25", "no HTTP at all"),
        Fault("H26", "cookies"), Fault("H27", "HTTP/2"),
        Fault("H28", "answers that claim to stay fresh"),
    ]

    private static let payload = [
        Fault("B1", "an empty body with 200"), Fault("B2", "a body of another shape"),
        Fault("B3", "truncated JSON, trailing garbage"),
        Fault("B4", "trailing comma, BOM, UTF-16, JSON5"), Fault("B5", "doubled keys"),
        Fault("B6", "depth bomb"), Fault("B7", "a body over the limit, an endless body"),
        Fault("B8", "gzip bomb"), Fault("B9", "an encoding nobody asked for"),
        Fault("B10", "odd ids"),
        Fault("B11", "two rows with one id", reason: stored),
        Fault("B12", "odd texts"), Fault("B13", "bytes that are no UTF-8"),
        Fault("B14", "missing, more and retyped fields"),
        Fault("B15", "a million rows, and too many", reason: stored),
        Fault("B16", "a later page fails", reason: simulated),
        Fault("B17", "the list changes between pages", reason: simulated),
        Fault("B18", "a title altered by the server", reason: simulated),
        Fault("B19", "an id given to another todo", reason: simulated),
        Fault("B20", "a success that is no todo"),
    ]

    private static let trust = [
        Fault("A1", "401 with and without challenges"),
        Fault("A2", "a token that ends in a drain", reason: simulated),
        Fault(
            "A3", "token files that are missing or odd",
            reason: "no matter of a socket: SecretTests of the configuration"),
        Fault(
            "A4", "token files that others can read",
            reason: "no matter of a socket: SecretTests of the configuration"),
        Fault(
            "A5", "a token changed on the disk",
            reason: "no matter of a socket: reloads, in ReloadTests of the daemon"),
        Fault("A6", "403 on one item"),
        Fault("A7", "certificates that are expired, self-signed or for another host"),
        Fault("A8", "TLS 1.0 and 1.1 only"), Fault("A9", "a CA file that is missing"),
        Fault("A10", "a certificate that is not valid yet"),
        Fault(
            "A11", "TLS variables in the environment",
            reason: "no matter of a socket: removed at the start, EventTests of the host"),
        Fault("A12", "a token echoed by the server"),
        Fault(
            "A13", "a base URL with a password",
            reason: "no matter of a socket: refused by BaseURLTests and SettingsTests"),
        Fault(
            "A14", "plain http to another machine",
            reason: "no matter of a socket: refused by SettingsTests of the configuration"),
    ]

    private static let input = [
        Fault("X3", "line breaks in a header's value"), Fault("X4", "links to other hosts"),
        Fault(
            "X5", "a name that leads to loopback later",
            reason: "no fault over TLS, where the name is verified (A7); plain http is loopback's"),
        Fault("X6", "pages without end"),
        Fault("X12", "a million new rows each pull", reason: stored),
    ]
}
