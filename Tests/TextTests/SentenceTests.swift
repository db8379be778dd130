import Testing
import Text

@Suite struct SentenceTests {
    @Test(arguments: [
        ("the disk is full", "the disk is full."), ("Wrong password.", "Wrong password."),
        ("Really?", "Really?"), ("No!", "No!"), ("a long reason…", "a long reason…"), ("", ""),
        ("it says 'no.'", "it says 'no.'."), ("a.\u{301}", "a.\u{301}."),
    ]) func `a text that has an end gets no second one`(text: String, sentence: String) {
        #expect(Sentence.ended(text) == sentence)
    }

    @Test func `a hint follows as it came`() {
        #expect(Sentence.joined("no reason.", "Try again.") == "no reason. Try again.")
        #expect(Sentence.joined("it is open", "Run: chmod 600 a") == "it is open. Run: chmod 600 a")
        #expect(Sentence.joined("ok", nil) == "ok")
        #expect(Sentence.joined("", "Try again.") == "Try again.")
    }
}
