import Testing

@Suite(.timeLimit(.minutes(3))) struct ContentionProcessTests {
    @Test(.enabled(if: Stage.isAlone, "runs alone, because it measures waiting"))
    func `ten writers and ten readers meet no lock, lose nothing and see whole pulls`() async throws
    {
        let ended = try await Stage().script("contention-test", ["--seconds", "5"])
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
    }
}
