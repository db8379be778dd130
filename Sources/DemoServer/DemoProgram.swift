internal import Glibc
internal import Host
internal import ReferenceAPI
internal import Text

/// The program `demo-api`: arguments in, a server until a signal comes, an exit status out.
public enum DemoProgram: Sendable {
    /// Of a file of movies or of a list, in bytes.
    private static let fileLimit = 64 << 20

    /// Runs until SIGTERM or SIGINT, which end it with 0. It has to be called on the main thread
    /// before there is another one.
    ///
    /// - Returns: The exit status (sysexits(3)).
    public static func run(arguments: [String]) -> Int32 {
        Signals.block([.terminate, .interrupt])
        Signals.ignoreWriteSignals()
        let errors = StandardError(descriptor: 2)
        do throws(DemoError) {
            let options = try DemoOptions(arguments: arguments)
            let output = StandardOutput(descriptor: 1)
            if options.help {
                try say(DemoOptions.helpText, on: output)
                return 0
            }
            let server = try LoopbackServer.start(try settings(for: options, errors: errors))
            defer { server.stop() }
            try say("demo-api listening on http://127.0.0.1:\(server.port)\n", on: output)
            waitForSignal()
            return 0
        } catch {
            report(error, on: errors)
            return error.exitStatus
        }
    }

    private static func settings(
        for options: DemoOptions, errors: StandardError
    ) throws(DemoError) -> DemoSettings {
        var behaviour = options.behaviour
        behaviour.seed = options.seed ?? .random(in: 0...UInt64.max)
        behaviour.honoursIdempotencyKeys = options.idempotency
        behaviour.entityTags = options.entityTags
        behaviour.maxBodyBytes = LoopbackServer.bodyLimit
        let secrets = try options.secretsFile.map(DemoSecrets.read) ?? DemoSecrets()
        behaviour.moviesToken = secrets.token
        let isQuiet = options.quiet
        var settings = DemoSettings(
            port: options.port, stateFile: options.stateFile, password: secrets.password,
            behaviour: behaviour,
            movies: try movies(options), faults: options.faults,
            random: SeededGenerator(seed: behaviour.seed), milliseconds: milliseconds,
            log: { if !isQuiet { errors.write("\($0)\n") } },
            failed: {
                // Nothing more can be promised; the next start reads what was saved.
                report($0, on: errors)
                _exit($0.exitStatus)
            })
        settings.untitled = options.untitled
        settings.lists = try lists(options)
        return settings
    }

    private static func milliseconds() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }

    private static func movies(_ options: DemoOptions) throws(DemoError) -> MovieCatalogue {
        guard !options.movieFiles.isEmpty else {
            return .generated(count: 434, seed: 1, overlap: options.overlap, dates: true)
        }
        var pages: [[UInt8]] = []
        for path in options.movieFiles {
            do throws(SystemError) {
                pages.append(try FileBytes.read(path, limit: fileLimit))
            } catch {
                throw .moviesUnreadable(path: path, error)
            }
        }
        do throws(RecordedPagesError) {
            return try .recorded(pages)
        } catch {
            let place: Int? =
                switch error {
                case .notAPage(let place), .doubled(_, let place): place
                case .none, .missing: nil
                }
            throw .moviesRefused(path: place.map { options.movieFiles[$0] }, error)
        }
    }

    private static func lists(_ options: DemoOptions) throws(DemoError) -> [String: ReferenceList] {
        var lists: [String: ReferenceList] = [:]
        for list in options.lists {
            let bytes: [UInt8]
            do throws(SystemError) {
                bytes = try FileBytes.read(list.file, limit: fileLimit)
            } catch {
                throw .listUnreadable(path: list.file, error)
            }
            guard var read = ReferenceList(array: bytes, paging: list.paging, size: list.size)
            else {
                throw .listRefused(path: list.file)
            }
            read.isWritable = options.listsTakeWrites
            lists[list.name] = read
        }
        for key in options.foreignKeys {
            for name in [key.list, key.parent.list] where lists[name] == nil {
                throw .usage("--foreign-key names '\(ForeignText(name))', which no --list serves")
            }
            lists[key.list]?.parents.append(key.parent)
        }
        return lists
    }

    private static func waitForSignal() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        var signal: Int32 = 0
        while sigwait(&set, &signal) != 0 {}
    }

    private static func say(_ text: String, on output: StandardOutput) throws(DemoError) {
        do throws(OutputError) {
            try output.write(text)
            try output.flush()
        } catch {
            throw .output(error)
        }
    }

    private static func report(_ error: DemoError, on errors: StandardError) {
        errors.write("demo-api: \(ForeignText(error.description))\n\(error.hint)\n")
    }
}
