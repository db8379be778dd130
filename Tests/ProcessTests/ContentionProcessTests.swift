import Testing

@Suite(.timeLimit(.minutes(5))) struct ContentionProcessTests {
    @Test(.enabled(if: Stage.isAlone, "runs alone, because it measures waiting"))
    func `four writers and ten readers meet no lock, lose nothing and see whole pulls`()
        async throws
    {
        let ended = try await Stage().script(
            "contention-test", ["--seconds", "5", "--writers", "4"])
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
    }
}
