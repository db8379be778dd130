import Glibc
import Testing

@Suite(.timeLimit(.minutes(10))) struct NetworkProcessTests {
    @Test(
        .enabled(if: geteuid() == 0, "network namespaces need root"),
        .enabled(if: Stage.isAlone, "runs alone, because it measures waiting"))
    func `P10: a link, a route or an address that comes back ends the backoff`() async throws {
        let ended = try await Stage().script("network-test", ["--busy"])
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
    }
}
