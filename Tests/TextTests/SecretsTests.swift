import Testing
import Text

@Suite struct SecretsTests {
    private let secrets = Secrets()

    @Test(arguments: [
        "t0ken+/=", "T0KEN+/=", "t0ken%2B%2F%3D", "t0ken+%2f=", "%74%30ken+/=", #"t0ken+\/="#,
        #"\u00740ken\u002b/="#, "dDBrZW4rLz0=", "dDBrZW4rLz0",
    ])
    func `a secret is found as it is, in a URL, in base64 and in JSON`(form: String) {
        secrets.register("t0ken+/=")
        let text = "x \(form), x=\(form)\u{301}."
        #expect(secrets.masked(text) == "x [redacted], x=[redacted]\u{301}.")
        #expect(secrets.masked(foreign: text) == "x [redacted], x=[redacted]\u{301}.")
    }

    @Test func `a longer secret leaves nothing when a shorter one is inside it`() {
        secrets.register("secret")
        secrets.register("secret-and-more")
        #expect(secrets.masked("x secret-and-more secret") == "x [redacted] [redacted]")
    }

    @Test func `of a short secret the words of strangers are cleared, and ours from six bytes on`()
    {
        for secret in ["ab1", "demo", "demo66"] { secrets.register(secret) }
        #expect(secrets.masked("ab1 demo demo66") == "ab1 demo [redacted]")
        #expect(secrets.masked(foreign: "ab1 demo demo66") == "ab1 [redacted] [redacted]")
    }

    @Test func `the newest 64 secrets are kept, and one that comes again is new`() {
        secrets.register("password")
        for number in 100..<163 { secrets.register("secret-\(number)") }
        secrets.register("password")
        secrets.register("secret-163")
        #expect(
            secrets.masked("password secret-100 secret-101") == "[redacted] secret-100 [redacted]")
    }

    @Test func `a secret across the cut is masked before it`() {
        secrets.register("canary-1234567890")
        let text = String(repeating: "a", count: 490) + "canary-1234567890"
        #expect(secrets.mended(foreign: text, maxBytes: 500).contains("cana") == false)
    }

    @Test func `a secret that an escape would hide is masked before it`() {
        secrets.register("ca\u{200B}nary")
        #expect(
            secrets.mended(foreign: "\u{1B}ca\u{200B}nary", maxBytes: 99) == #"\u{1b}[redacted]"#)
    }
}
