import Rendering
import Testing

@Suite struct PrometheusTextTests {
    private func text(_ families: PrometheusText.Family...) -> String {
        String(decoding: PrometheusText(families).bytes, as: UTF8.self)
    }

    @Test func `a family has its help and its type before its samples`() {
        #expect(
            text(
                .init(
                    "a_seconds", "How long.",
                    [.init(1.5, [.init("x", "1"), .init("y", "2")]), .init(434)]))
                    == """
                    # HELP a_seconds How long.
                    # TYPE a_seconds gauge
                    a_seconds{x="1",y="2"} 1.5
                    a_seconds 434

                    """)
    }

    @Test func `a family without samples is left out`() {
        #expect(text(.init("a", "b", [])) == "")
    }

    @Test func `no text can end its line or its quotes`() {
        #expect(
            text(.init("a", "one\ntwo\\ \"three\"", [.init(0, [.init("x", "a\"b\\c\nd")])]))
                == #"# HELP a one\ntwo\\ "three""# + "\n# TYPE a gauge\n"
                + #"a{x="a\"b\\c\nd"} 0"# + "\n")
    }
}
