public import Declarations
internal import Glibc
internal import Host
public import Rules
internal import SQLite

/// Why the cache did not do what it was asked to. Nothing of the failed call has taken effect.
public enum StoreError: Error, Sendable, Hashable {
    /// There is no file yet, and the call does not make one.
    case missing(path: String)
    /// The file cannot be opened: a missing directory, a mode, a link.
    case cannotOpen(path: String, reason: String)
    /// The file is not an SQLite database.
    case notADatabase(path: String)
    /// The file is a database of another program.
    case foreignDatabase(path: String)
    /// A newer syncd made the schema.
    case newerSchema(path: String, found: Int, known: Int)
    /// An older syncd made the schema, and the call only reads.
    case olderSchema(path: String, found: Int, known: Int)
    /// An applied migration is not the one this build holds.
    case editedMigration(version: Int, name: String)
    /// The file was deleted, renamed or replaced while it was open.
    case replaced(path: String)
    /// The cache belongs to another account.
    case otherAccount(cached: Account, configured: Account)
    /// Another program held the write lock for the whole busy timeout.
    case busy
    /// The disk, or the quota, is full.
    case diskFull
    /// Reading or writing failed below SQLite.
    case inputOutput(String)
    /// There is a file already where a new one was to be made.
    case occupied(path: String)
    /// The file's content is damaged.
    case corrupt(String)
    /// The file may not be written.
    case readOnly(String)
    /// The cache's own rules refuse the change; the text is a sentence for the person.
    case refused(String)
    /// The body of an answer cannot be taken; the text says what and where.
    case unusableBody(String)
    /// A foreign key of another program refuses the change.
    case foreignKey(String)
    /// Another constraint of another program refuses the change, such as a unique index on the table of a list.
    case constraint(String)
    /// The table of a list is another program's, or was changed by one.
    case foreignTable(String)
    /// The table of a list was made from another declaration meanwhile.
    case changedTable(String)
    /// Changes of a list wait, and its table would be made anew.
    case changesWait(String, count: Int64)
    /// Conflicts of a list are about rows of another one, and its column would refer to others.
    case conflictsWait(String, column: String, count: Int64)
    /// More was written past the triggers of a list than is taken unasked.
    case unseenWrites(UnseenWrites, of: ListName)
    /// The list has no row with this local id.
    case unknownRow(Int64, of: ListName)
    /// There is no operation of this number in the outbox.
    case unknownOperation(OperationSequence)
    /// There is no conflict of this number.
    case unknownConflict(Int64)
    /// The statement cannot be run.
    case statement(String)
    /// SQLite has worked on the rows of one list for longer than any list may.
    case longWork(of: ListName, after: Duration)
    /// The process ends, and what takes long was given up.
    case stopped

    init(_ error: SQLiteError, path: String) {
        switch error.code {
        case .constraintTrigger where error.message == CacheSeal.sentence:
            self = .replaced(path: path)
        case .constraintTrigger: self = .refused(error.message)
        case .constraintForeignKey: self = .foreignKey(error.description)
        case let code where code.primary == .constraint: self = .constraint(error.description)
        case .busy, .locked, .lockProtocol: self = .busy
        case .full: self = .diskFull
        case .inputOutput: self = .inputOutput(error.description)
        case .corrupt: self = .corrupt(error.description)
        case .interrupted: self = .stopped
        case .notADatabase: self = .notADatabase(path: path)
        case .readOnly, .permission: self = .readOnly(error.message)
        case .cannotOpen: self = .cannotOpen(path: path, reason: error.description)
        default: self = .statement(error.description)
        }
    }

    init(_ error: FileError) {
        switch error {
        case .system(_, let error) where [ENOSPC, EDQUOT].contains(error.code): self = .diskFull
        case .system(let path, let error) where error.operation == "open":
            self = .cannotOpen(path: path, reason: Self.words(of: error.code))
        case .missing(let path): self = .cannotOpen(path: path, reason: Self.words(of: ENOENT))
        case .notADirectory(let path):
            self = .cannotOpen(path: path, reason: Self.words(of: ENOTDIR))
        case .occupied(let path): self = .occupied(path: path)
        default: self = .inputOutput(error.description)
        }
    }

    private static func words(of code: Int32) -> String { String(cString: strerror(code)) }

    /// Maps what a transaction's body threw: the one place where a foreign error enters this layer.
    package static func wrapping(_ error: any Error, path: String) -> StoreError {
        switch error {
        case let error as StoreError: error
        case let error as SQLiteError: StoreError(error, path: path)
        case let error as FileError: StoreError(error)
        default: .statement(String(describing: error))
        }
    }
}

extension StoreError: CustomStringConvertible {
    /// What went wrong and where, without any bound value.
    public var description: String {
        switch self {
        case .missing(let path): "there is no cache at \(path)"
        case .cannotOpen(let path, let reason): "the cache \(path) cannot be opened: \(reason)"
        case .notADatabase(let path): "\(path) is not an SQLite database"
        case .foreignDatabase(let path): "\(path) is a database of another program"
        case .newerSchema(let path, let found, let known):
            "the cache \(path) has schema \(found), but this syncd knows only up to \(known)"
        case .olderSchema(let path, let found, let known):
            "the cache \(path) has schema \(found) of an older syncd; this one reads \(known)"
        case .editedMigration(let version, let name):
            "migration \(version) (\(name)) was applied with another text than this syncd has"
        case .replaced(let path): "\(path) was deleted, renamed or replaced while it was in use"
        case .otherAccount(let cached, let configured):
            "the cache belongs to \(cached), but the configuration names \(configured)"
        case .busy: "another program has been writing to the cache for too long"
        case .diskFull: "the disk is full"
        case .inputOutput(let text): "reading or writing the cache failed: \(text)"
        case .occupied(let path): "there is a file at \(path) already"
        case .corrupt(let text): "the cache is damaged: \(text)"
        case .readOnly(let text): "the cache may not be written: \(text)"
        case .refused(let text), .unusableBody(let text), .statement(let text): text
        case .foreignKey(let text), .constraint(let text): "a rule of another program: \(text)"
        case .foreignTable(let name): "the table \(name) is not as syncd made it"
        case .changedTable(let name): "\(name) is declared in another way now"
        case .changesWait(let name, let count):
            "\(count == 1 ? "a change" : "\(count) changes") of \(name) must be sent before its"
                + " table can be made anew"
        case .conflictsWait(let name, let column, let count):
            "\(count == 1 ? "a conflict" : "\(count) conflicts") of \(name) must be decided before its column"
                + " \(column) can have numbers of other rows"
        case .unseenWrites(let found, let list):
            "\(list) was written to while its triggers were missing (\(found.parts)): nothing of it is synced"
        case .unknownRow(let id, of: .todos): "there is no todo \(id)"
        case .unknownRow(let id, let list): "\(list) has no row \(id)"
        case .unknownOperation(let sequence): "there is no operation \(sequence) in the outbox"
        case .unknownConflict(let sequence): "there is no conflict \(sequence)"
        case .longWork(let list, let bound):
            "the rows of \(list) kept the cache at work for more than \(bound.components.seconds) s"
        case .stopped: "syncd was asked to stop"
        }
    }

    /// One imperative sentence: what the person can do.
    public var hint: String {
        switch self {
        case .missing: "Run `syncd sync`, which makes it."
        case .cannotOpen: "Check that the directory exists and that you may write to it."
        case .notADatabase, .foreignDatabase:
            "Name another path under `database` in the configuration; the file was not touched."
        case .newerSchema: "Install the newer syncd again; the file was not touched."
        case .olderSchema:
            "Restart the daemon, or run `syncd check --fix`: both migrate it and keep a copy."
        case .editedMigration:
            "Install the syncd that made this cache; the file was not touched."
        case .replaced: "Start syncd again: it goes on with the new file."
        case .otherAccount:
            "Name another `database` in the configuration, or set this one aside: `syncd cache reset`."
        case .busy: "Try again when the other program has finished."
        case .diskFull: "Free some space and try again; no accepted change is lost."
        case .inputOutput: "Check the disk, then start again; the cache is checked at the start."
        case .occupied: "Name a file that does not exist yet."
        case .corrupt:
            "Run `syncd run` or `syncd sync`: the file is moved aside, and its queue saved if it can be read."
        case .readOnly: "Check the owner and the mode of the file and its directory."
        case .refused: "Change the request accordingly."
        case .foreignKey: "Give the foreign key ON DELETE CASCADE or SET NULL."
        case .constraint: "Drop that rule: the table shows what the server has."
        case .foreignTable: "Rename it, and restart syncd: it makes the table anew from the server."
        case .changedTable: "Sync again, with the configuration as it is now."
        case .changesWait(let name, _):
            "Put the old declaration of \(name) back and sync, or drop them: `syncd outbox list` names them."
        case .conflictsWait(let name, _, _):
            "Put the old declaration of \(name) back and decide them, or delete them from the view conflicts: "
                + "`syncd conflicts` names them."
        case .unseenWrites:
            "Run `syncd check --fix` to send the new rows and to give the others back; else remove them first."
        case .unusableBody: "Check that the base URL is the one of the API."
        case .unknownRow(_, of: .todos): "See `syncd todo list` for the ids."
        case .unknownRow(_, let list): "See `syncd list \(list)` for the ids."
        case .unknownOperation:
            "See `syncd outbox list` for the numbers; a change that is not there was sent or dropped."
        case .unknownConflict:
            "See `syncd conflicts` for the numbers; one that is not there was seen already."
        case .statement: "Check the SQL statement."
        case .longWork:
            "Look at what the server sends; `http.timeout` is how long it may take, from 30 s."
        case .stopped: "Start syncd again: no accepted change is lost."
        }
    }
}
