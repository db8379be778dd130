import APIClient
import Testing

@Suite struct BaseURLTests {
    @Test(arguments: [
        ("http://localhost:8080", "http://localhost:8080", ""),
        ("HTTP://LocalHost:8080/", "http://localhost:8080", ""),
        ("https://api.themoviedb.org/3", "https://api.themoviedb.org/3", "/3"),
        ("https://api.themoviedb.org:443/3///", "https://api.themoviedb.org/3", "/3"),
        ("http://a:80/b/c%2fd/", "http://a/b/c%2Fd", "/b/c%2Fd"),
        ("http://127.0.0.1", "http://127.0.0.1", ""),
        ("http://[::1]:8080", "http://[::1]:8080", ""),
        ("http://[0:0:0:0:0:0:0:1]", "http://[::1]", ""),
        ("http://[2001:DB8::0:1]:80/x", "http://[2001:db8::1]/x", "/x"),
        ("https://xn--bcher-kva.example:8443", "https://xn--bcher-kva.example:8443", ""),
        (
            "http://a_b.c-d.e/~x/@:!$&'()*+,;=", "http://a_b.c-d.e/~x/@:!$&'()*+,;=",
            "/~x/@:!$&'()*+,;="
        ),
    ])
    func `every spelling of an address has one canonical form`(
        text: String, canonical: String, path: String
    ) throws {
        let url = try BaseURL(text)
        #expect(url.description == canonical)
        #expect(url.path == path)
        #expect(try BaseURL(url.description) == url)
    }

    @Test(
        arguments: [
            ("", .empty), ("localhost:8080", .notHTTP), ("/3", .notHTTP), ("http:/a", .notHTTP),
            ("ftp://a", .notHTTP), ("file:///etc/passwd", .notHTTP), (" http://a", .notHTTP),
            ("://a", .notHTTP), ("https", .notHTTP), ("http://u:pw@a", .userInfo),
            ("http://u@a/", .userInfo), ("http://@a", .userInfo), ("http://a?x=1", .query),
            ("http://a/3?", .query), ("http://a/#x", .fragment), ("http://a/?#", .fragment),
            ("http://", .host), ("http:///x", .host), ("http://:80", .host), ("http://a b", .host),
            ("http://a..b", .host), ("http://.a", .host), ("http://a.", .host),
            ("http://%61", .host),
            ("http://a\u{0}", .host), ("http://a\n", .host), ("http://[::1", .host),
            ("http://[]", .host),
            ("http://[::1%25lo]", .host), ("http://[fe80::1%lo]", .host), ("http://[1:2]", .host),
            ("http://127.1", .host), ("http://0x7f.0.0.1", .host), ("http://0177.0.0.1", .host),
            ("http://2130706433", .host), ("http://256.0.0.1", .host), ("http://1.2.3.4.5", .host),
            ("http://bücher.example", .nonASCIIHost), ("http://a:", .port), ("http://a:0", .port),
            ("http://a:65536", .port), ("http://a:-1", .port), ("http://a:80a", .port),
            ("http://a:000080", .port), ("http://a:99999999999999999999", .port),
            ("http://[::1]x", .port),
            ("http://a/b c", .path), ("http://a/%", .path), ("http://a/%4", .path),
            ("http://a/%zz", .path),
            ("http://a/ä", .path), ("http://a//b", .path), ("http://a/../b", .path),
            ("http://a/.", .path),
            ("http://a/%2e%2E/b", .path), ("http://a/b\r\n", .path), ("http://a/\\", .path),
        ] as [(String, BaseURLError)])
    func `what is no plain http address is refused by its reason`(
        text: String, error: BaseURLError
    ) {
        #expect(throws: error) { try BaseURL(text) }
    }

    @Test func `an error repeats nothing of the text and says what to do`() {
        for error in [
            BaseURLError.empty, .notHTTP, .userInfo, .query, .fragment, .host, .nonASCIIHost, .port,
            .path,
        ] {
            #expect(!error.description.isEmpty && error.hint.hasSuffix("."))
        }
        #expect(BaseURLError.nonASCIIHost.hint.contains("punycode"))
    }

    @Test func `the library's own addresses are canonical`() throws {
        #expect(try BaseURL("http://localhost:8080") == .localhost)
        #expect(try BaseURL("https://api.themoviedb.org/3") == .tmdb)
        #expect(BaseURL.localhost.origin.isLoopback)
        #expect(try BaseURL("http://[0::1]").origin.isLoopback)
        #expect(!BaseURL.tmdb.origin.isLoopback)
    }

    @Test func `random text is refused or canonical, and never a trap`() {
        var random = SeededGenerator(seed: 5)
        let alphabet = Array("http://s:@[]%.?#aZ09-_\u{0}é\\ ".utf8)
        for _ in 0..<5_000 {
            let tail = String(decoding: random.bytes(of: alphabet, upTo: 12), as: UTF8.self)
            for text in [tail, "http://" + tail, "https://a/" + tail] {
                // Refused is fine; what is taken must be its own canonical form.
                guard let url = try? BaseURL(text) else { continue }
                #expect((try? BaseURL(url.description)) == url)
            }
        }
    }
}
