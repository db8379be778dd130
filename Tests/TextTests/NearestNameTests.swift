import Testing
import Text

@Suite struct NearestNameTests {
    private let names = ["status", "sync", "movies", "outbox"]

    @Test(arguments: [
        ("stauts", "status"), ("STATUS", "status"), ("snyc", "sync"), ("movie", "movies"),
        ("outbux", "outbox"), ("sync", "sync"),
    ]) func `a slip of the finger is recognised`(written: String, meant: String) {
        #expect(NearestName.of(written, among: names) == meant)
    }

    @Test(arguments: ["xyzzyplugh", "", String(repeating: "s", count: 100_000)])
    func `what is like no name gets no guess`(written: String) {
        #expect(NearestName.of(written, among: ["movies", "outbox"]) == nil)
    }

    @Test func `without names there is none`() {
        #expect(NearestName.of("a", among: []) == nil)
    }
}
