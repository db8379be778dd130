internal import CommandLine
internal import Configuration
@preconcurrency internal import Dispatch
internal import Glibc
internal import Host
internal import Text

/// The program `syncd`: arguments in, an exit status out.
public enum SyncdProgram: Sendable {
    /// Runs the command that the process was started with, and ends the process.
    ///
    /// It has to be called on the main thread before there is another one. Nothing runs on the
    /// global executor: that would wake the process once a second for the rest of its life.
    public static func main() -> Never {
        Heap.shareAmongThreads()
        StandardDescriptors.reserve()
        Signals.ignoreWriteSignals()
        ProcessFacts.protectSecrets()
        let facts = ProcessFacts.current()
        ProcessFacts.silenceDispatch()
        let secrets = Secrets()
        let output = StandardOutput(descriptor: 1)
        func console(isQuiet: Bool) -> Console {
            Console(
                output: output, errors: StandardError(descriptor: 2), isQuiet: isQuiet,
                environment: facts.environment, secrets: secrets)
        }
        do throws(CommandError) {
            var words = try CommandError.trying(
                CommandError.usage, try RawArguments.words())
            // Nothing was asked for: whoever has a configuration wants to see how things are.
            if words.isEmpty { words = Settings.hasUsualFile(facts: facts) ? ["status"] : ["help"] }
            let isCompleting = words.first == Command.complete.syntax.name
            let table = isCompleting ? CommandTable(commands: [Command.complete.syntax]) : .standard
            switch try CommandError.trying(CommandError.usage, try table.request(words)) {
            case .help(let text):
                let console = console(isQuiet: false)
                try console.write(Array(text.utf8))
                try console.flush()
                end(.ok)
            case .command(let syntax, let arguments):
                // The table was made from these.
                let command =
                    isCompleting
                    ? .complete : Command.all.first { $0.syntax.name == syntax.name } ?? .help
                Signals.block(command.signals)
                let time = try CommandError.trying(CommandError.file, try SystemTime())
                let executor = QueueExecutor(label: "syncd")
                let composition = Composition(
                    facts: facts, console: console(isQuiet: arguments.isQuiet), time: time,
                    executor: executor, secrets: secrets)
                Task(executorPreference: executor) {
                    end(await status(of: command, arguments, composition))
                }
                // In the place of `dispatchMain()`, which unblocks every signal.
                Signals.parkMainThread()
            }
        } catch {
            end(report(error, on: console(isQuiet: false)))
        }
    }

    /// Runs the command to its end; what it printed is written when this returns.
    static func status(
        of command: Command, _ arguments: Arguments, _ composition: Composition
    ) async -> ExitCode {
        do throws(CommandError) {
            let status = try await command.run(arguments, composition)
            try composition.console.flush()
            return status
        } catch {
            return report(error, on: composition.console)
        }
    }

    private static func report(_ error: CommandError, on console: Console) -> ExitCode {
        // Whoever closed the pipe has seen enough, and hears nothing more.
        if error.status != .closedPipe { console.complain(error) }
        return error.status
    }

    /// Ends the process from another thread, in the middle of a command.
    static func end(failing error: CommandError, on console: Console) -> Never {
        end(report(error, on: console))
    }

    /// Ends without the C library's exit handlers: the cleanup of TLS libraries there races with
    /// threads that are still running. All output is written before.
    private static func end(_ status: ExitCode) -> Never { _exit(status.rawValue) }
}
