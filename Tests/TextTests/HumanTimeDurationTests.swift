import Testing
import Text

@Suite struct HumanTimeDurationTests {
    @Test(arguments: [
        ("90s", Duration.seconds(90)), ("1h30m", .seconds(5400)), ("2d", .seconds(172_800)),
        ("250ms", .milliseconds(250)), ("1s5ms", .milliseconds(1005)), ("0s", .zero),
        ("1d1h1m1s1ms", .milliseconds(90_061_001)), ("007m", .seconds(420)),
        ("10000d", .seconds(864_000_000)),
        ("0d0h", .zero),
    ])
    func `numbers with units, largest first, are a duration`(text: String, duration: Duration)
        throws
    {
        #expect(try HumanTime.duration(text) == duration)
    }

    @Test(arguments: [
        "", "5", "s", "5 s", " 5s", "5s ", "-5s", "+5s", "1.5h", "5S", "30m1h", "1h1h", "1w", "5sm",
        "1h30", "٣s", "5s\n", "1ms1s", "h1",
    ])
    func `anything else is refused with the text it was`(text: String) {
        #expect(throws: DurationTextError.notADuration) { try HumanTime.duration(text) }
    }

    @Test(arguments: [
        "10001d", "240001h", "10000d1ms", "999999999999d", "9999999999999s",
        "99999999999999999999999s",
    ])
    func `more than ten thousand days are refused, and nothing overflows`(text: String) {
        #expect(throws: DurationTextError.tooLong) { try HumanTime.duration(text) }
    }

    @Test func `what is written reads back as the same duration`() throws {
        for number in 0..<5_000 {
            let duration = Duration.milliseconds(
                Int64(number * number * number) * 6 + Int64(number))
            #expect(try HumanTime.duration(HumanTime.written(duration)) == duration)
        }
        #expect(HumanTime.written(.zero) == "0s")
        #expect(HumanTime.written(.seconds(-1)) == "0s")
        #expect(HumanTime.written(.seconds(Int64.max)) == "10000d")
        #expect(HumanTime.written(.seconds(5400)) == "1h30m")
    }
}
