internal import APIClient
internal import Declarations
internal import Store
internal import Text

/// Why a cycle ended early, in the terms of its status.
struct CycleFailure: Error {
    var state: SyncState
    var text: String
    var hint: String
    var serverAsks: Duration?
    /// The task was cancelled: nothing is known about the server.
    var isOurs = false
    /// The server answered that what was asked for is gone for good.
    var isGone = false
    /// The status of the answer that cannot be used; nil: none came, or it had another fault.
    var status: Int?
    /// What came is no list, or the address of one cannot be made.
    var isOfOneList = false

    /// A pull that brought no answer that can be used.
    init(pull error: APIError) {
        state = PullVerdict.state(after: error)
        text = error.description
        hint = error.hint
        serverAsks = error.retryAfter
        isOurs = error.isCancellation
        if case .status(let failure) = error {
            isGone = failure.code == 410
            status = failure.code
        }
    }

    /// The same of one page. A page behind the first that does not exist is a list that has become shorter
    /// meanwhile: Django's pages are then answered 404, PostgREST's offsets 416.
    init(pull error: APIError, isFirstPage: Bool) {
        self.init(pull: error)
        guard !isFirstPage, case .status(let failure) = error,
            [404, 410, 416].contains(failure.code)
        else { return }
        state = .failing
        hint = "The list may have become shorter while it was read; the next pull begins anew."
    }

    /// An answer whose body the store cannot take; `text` names what the server has written, and `refusal` why it has
    /// written no rows, in its own words.
    init(unusable text: String, refusal: String?, of list: ListName, without secrets: Secrets) {
        isOfOneList = true
        self.text = secrets.mended(foreign: text, maxBytes: 500)
        if let refusal {
            state = .failing
            self.text += ": the server says ‘\(refusal)’"
            hint = "Check what \(list).json asks for, if the server goes on to say so."
            return
        }
        state = .misconfigured
        hint =
            [.movies, .todos].contains(list)
            ? StoreError.unusableBody(text).hint
            : "Check \"rows\" and \"id\" in \(list).json, and the base URL."
    }

    /// A part whose address names what the row above it does not have.
    init(noAddressOf part: String, lacking name: String) {
        state = .misconfigured
        isOfOneList = true
        text =
            "the row \(ForeignText(part).escaped) has no \(name), which the address of its part names"
        hint = "Name a column in list that every row has."
    }

    /// Rows that the table does not take, because of something that another program has put on it: of `rules`, if
    /// any of them can be named.
    init(unpublished error: StoreError, of list: ListName, rules: [String]) {
        state = .misconfigured
        text = "the table \(list) does not take the rows of the server: \(error)"
        hint =
            rules.isEmpty
            ? "Drop the trigger, index or foreign key of your own on it that is in the way."
            : "Drop or change the trigger or index of your own on it that is in the way: "
                + ForeignText.escaped(rules.prefix(5).joined(separator: ", "), maxBytes: 200) + "."
    }

    /// Rows that kept the cache at work for too long.
    init(longWork error: StoreError) {
        state = .failing
        text = error.description
        hint = error.hint
    }

    /// A list that was written to past its triggers, more than is taken unasked.
    init(unseenWrites error: StoreError) {
        state = .misconfigured
        text = error.description
        hint = error.hint
    }

    /// The credential is another account's than that of the rows, by the words of the server.
    init(
        rowsOf cached: String, not answered: String, in list: ListName,
        without secrets: Secrets
    ) {
        state = .misconfigured
        let names = [cached, answered].map { secrets.mended(foreign: $0, maxBytes: 200) }
        text =
            "the rows of \(list) are those of ‘\(names[0])’, but the server says that its credential "
            + "is that of ‘\(names[1])’"
        hint =
            "Put the credential of ‘\(names[0])’ back. For another account, name another `database`, "
            + "or write `account` into the section of the server."
    }

    /// The call of `whoami` was answered, and says nothing.
    init(noAccountIn whoami: WhoAmI, of list: ListName) {
        state = .misconfigured
        text = "the answer to \(whoami.path) has no text and no number at \(whoami.id)"
        hint = "Correct \"whoami\" in \(list).json, or in the section of the server."
    }

    /// Changes wait for another list than the one that is configured now: they are not for this one.
    init(
        changesOf cached: ListIdentity, not configured: ListIdentity,
        by difference: ListIdentity.Difference, in list: ListName, waiting: Int64
    ) {
        state = .misconfigured
        let rows = "the rows of \(list) are those of"
        let changes = waiting == 1 ? "a change waits" : "\(waiting) changes wait"
        switch difference {
        case .account:
            text =
                "\(rows) \(cached.account), but the configuration names \(configured.account), and \(changes)"
        case .list:
            text =
                "\(rows) \(cached.target.start(200)), but its declaration names"
                + " \(configured.target.start(200)), and \(changes)"
        case .headers:
            text =
                "the header fields of \(list) are others than those its rows were read with, and \(changes)"
        case .credential:
            text =
                "the credential of \(list) is another one than its rows were read with, and \(changes)"
        }
        let back =
            "Put back what was there and sync, or drop the changes: `syncd outbox list` names them."
        hint =
            difference == .credential
            ? "\(back) If it is the same account, say so with `account` of the server." : back
    }

    /// A list that has no end, as far as one pull reads.
    init(_ failure: PageWalk.Failure, of list: ListName) {
        state = .misconfigured
        switch failure {
        case .tooManyPages: text = "the list has more than \(Limits.pages) pages"
        case .tooManyRows: text = "the list has more than \(Limits.rows) rows"
        }
        hint = "Ask for larger pages, or for a part of the list, in the declaration of \(list)."
    }

    /// The same status for everything: it is about the service, not about an operation.
    init(refusedByService status: Int, operations: Int) {
        state = status == 403 ? .needsCredentials : .misconfigured
        text =
            "the last \(operations) changes in a row were refused with \(status); syncd keeps them all"
        hint =
            "Look for a firewall or a proxy in front of the server, and check the account's rights."
    }

    /// A redirect of an operation that a line in the declaration of `list` would spare.
    init(moved error: APIError, line: String, of list: ListName) {
        state = .misconfigured
        text = Sentence.joined(error.description, "Write \(line) in \(list).json")
        hint = "`syncd lists show \(list)` prints the declaration."
    }

    /// An operation's answer that stops the whole replay.
    init(state: SyncState, error: APIError) {
        self.state = state
        text = error.description
        hint = error.hint
        serverAsks = error.retryAfter
        isOurs = error.isCancellation
    }
}

extension APIError {
    /// We ended it ourselves: it says nothing about the server.
    var isCancellation: Bool {
        if case .transport(.cancelled) = self { true } else { false }
    }
}
