import Foundation
import Glibc
import TestSupport

/// Simulates a fleet on a clock of its own: the daemons know nothing of each other, so that each
/// lives its whole time before the next one begins.
@main struct Fleet {
    static func main() {
        guard let plan = FleetPlan(Array(CommandLine.arguments.dropFirst())) else {
            FileHandle.standardError.write(Data((FleetPlan.usage + "\n").utf8))
            exit(64)
        }
        var counts = RequestCounts(plan)
        let random = SeededRandom(seed: plan.seed)
        for _ in 0..<plan.daemons {
            var member = Member(plan, random: random)
            member.live(into: &counts)
        }
        let back = Int(plan.outage.upperBound.components.seconds)
        let lines = counts.all.indices.map {
            "\($0 - back)\t\(counts.all[$0])\t\(counts.first[$0])\n"
        }
        FileHandle.standardOutput.write(Data(lines.joined().utf8))
    }
}
