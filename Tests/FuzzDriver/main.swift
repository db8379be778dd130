import Dispatch
import FuzzTargets
import Glibc
import Host

/// The program that libFuzzer drives: `FuzzDriver TARGET [CORPUS…] [-OPTION…]`.
///
/// Source: https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library
enum FuzzProgram {
    static func run() -> CInt {
        do {
            let targets = try FuzzTarget.all()
            guard CommandLine.arguments.count > 1,
                let target = targets.first(where: { $0.name == CommandLine.arguments[1] })
            else {
                print(targets.map(\.name).joined(separator: "\n"))
                return CommandLine.arguments.count > 1 ? 64 : 0
            }
            return FuzzLoop.start(on: target)
        } catch {
            print("the targets cannot be made: \(error)")
            return 70
        }
    }
}

exit(FuzzProgram.run())
