internal import APIClient
internal import Configuration
internal import CurlHTTP
internal import Glibc
internal import Host
internal import Text

/// What `check` looks at around the cache: the configuration, files and their modes, the clock, the
/// disk, and the library that requests need.
struct MachineCheck: Sendable {
    let facts: ProcessFacts
    let settings: Settings?
    /// The cache's path, canonical where it exists.
    let cache: String
    let now: WallTime

    /// 2025-01-01: no machine that runs this build lives before it.
    private static let earliest = WallTime(milliseconds: 1_735_689_600_000)
    private static let leastSpace = 16 << 20

    func findings() -> [CheckFinding] {
        configuration() + directory() + clock() + disk() + library()
    }

    private func configuration() -> [CheckFinding] {
        guard let settings else {
            return [
                CheckFinding(
                    .note, "configuration", "there is none, so nothing is synced",
                    hint: "Run `syncd setup`, or write one: config.example.json holds every key.")
            ]
        }
        var findings: [CheckFinding] = []
        do throws(ConfigurationError) {
            try settings.checkFiles(user: facts.user)
        } catch {
            findings.append(
                CheckFinding(.problem, "configuration", error.description, hint: error.hint))
        }
        // One directory may be told of once by the error, and once by the way to the file.
        findings += ConfigurationTrust(settings: settings, user: facts.user).findings()
            .filter { other in !findings.contains { $0.hint == other.hint } }
        return findings
    }

    /// The directory must be ours; the files in it must be readable by nobody who may not read it.
    private func directory() -> [CheckFinding] {
        let folder = cache.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        let directory: StateDirectory
        do throws(FileError) {
            directory = try StateDirectory(existing: folder, user: facts.user)
        } catch .missing {
            return token()
        } catch .foreignOwner(let path, let owner, let expected) {
            guard let cache = ForeignCache(at: cache, owner: owner) else {
                let error = FileError.foreignOwner(path, owner: owner, expected: expected)
                return [CheckFinding(.problem, folder, error.description, hint: error.hint)]
            }
            // The modes of its files are for its owner to judge.
            return [CheckFinding(.note, cache.path, cache.sentence, hint: cache.hint)] + token()
        } catch {
            return [CheckFinding(.problem, folder, error.description, hint: error.hint)]
        }
        var findings = ["", "-wal", "-shm"].compactMap {
            mode(of: cache + $0, allowed: directory.fileMode)
        }
        if let finding = mode(of: cache + ".lock", allowed: InstanceLock.mode) {
            findings.append(finding)
        }
        return findings + token()
    }

    private func token() -> [CheckFinding] {
        guard let settings else { return [] }
        let names = settings.everyList.map(\.server.tokenFile)
        return Set(names).sorted().compactMap {
            mode(of: settings.stateDirectory + "/" + $0, allowed: 0o600)
        }
    }

    private func mode(of path: String, allowed: UInt32) -> CheckFinding? {
        guard let found = FileFacts.access(path) else { return nil }
        guard !found.isLink else {
            let error = FileError.symbolicLink(path)
            return CheckFinding(.problem, path, error.description, hint: error.hint)
        }
        guard found.owner == facts.user else {
            return CheckFinding(
                .problem, path, "it belongs to user \(found.owner), not to \(facts.user)",
                hint: "Run syncd as its owner, or change it with chown.")
        }
        guard found.mode & ~allowed != 0 else { return nil }
        let right = String(found.mode & allowed, radix: 8)
        return CheckFinding(
            .problem, path,
            "its mode is \(String(found.mode, radix: 8)), and at most "
                + "\(String(allowed, radix: 8)) is right",
            hint: "Run: chmod \(right) \(ForeignText.shellWord(path))",
            repair: .init(path: path, mode: found.mode & allowed))
    }

    private func clock() -> [CheckFinding] {
        guard now.milliseconds < Self.earliest.milliseconds else { return [] }
        return [
            CheckFinding(
                .problem, "clock", "it shows a day before this program was written",
                hint: "Set it: certificates are judged by it. The cache does not depend on it.")
        ]
    }

    private func disk() -> [CheckFinding] {
        var status = statvfs()
        let folder = cache.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        guard statvfs(folder.isEmpty ? "/" : folder, &status) == 0 else { return [] }
        let free = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        guard !free.overflow, free.partialValue < UInt64(Self.leastSpace) else { return [] }
        return [
            CheckFinding(
                .problem, "disk", "\(free.partialValue >> 20) MiB are free beside the cache",
                hint: "Free some space: without it, changes are refused.")
        ]
    }

    private func library() -> [CheckFinding] {
        do throws(TransportError) {
            _ = try CurlTransport.libraryVersion()
            return []
        } catch {
            return [CheckFinding(.problem, "libcurl", error.description, hint: error.hint)]
        }
    }
}
