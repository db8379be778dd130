internal import APIClient
internal import Configuration
internal import Proposals
internal import SyncEngine
internal import Text

/// Looks at a list that nobody has declared yet: one request, one more for each way to a second page that the
/// answer hints at, and some for what has changed since a moment.
struct ListLook: Sendable {
    let client: ListClient
    let address: ListAddress
    /// What was sent to say who asks, which decides what a refusal means.
    let credential: Credential
    /// Lists of the same server and account, whose rows can be named.
    let neighbours: [NeighbourList]
    /// At which pace the server is asked.
    let pace: LookPace

    /// What says who asks.
    enum Credential: Sendable {
        case none
        /// The file of `--token-file`.
        case tokenFile
        /// That of a server of the configuration.
        case server(ServerSettings)
    }

    /// The largest answer that is looked at, in bytes: it is held as a tree, which takes many times as much.
    static let largestAnswer = 16 << 20

    /// What is proposed.
    func proposal(server: JSONNode) async throws(CommandError) -> ListProposal {
        let target = client.target(of: address.list, parameters: [])
        let first = try await look(at: target)
        let draft: ListDraft
        // A redirect tells the path that the server likes better, such as one with a slash at its end.
        let list = address.list(ofTarget: first.target) ?? address.list
        do throws(ProposalError) {
            draft = try ListDraft(first, list: list)
        } catch {
            throw .data(error.description, hint: error.hint)
        }
        var tried = try await tried(draft.candidates, of: list, from: first, draft.judge)
        if draft.tellsNothing, let narrow = try await narrowed(draft, list) {
            let others = try await self.tried(
                narrow.list.candidates, of: list, from: narrow.seen, narrow.list.judge)
            // That there is no way to a second page is nothing new.
            if others.last?.verdict.isConfirmed == true { tried += others }
        }
        var proposal = draft.proposal(server: server, tried: tried, beside: neighbours)
        if let since = try await since(draft) {
            proposal.add(since, read: since.value == nil ? nil : try await read(draft))
        }
        if list != address.list {
            proposal.note("list", "\(list), because the server redirects \(address.list) there")
        }
        return proposal
    }

    private typealias Tried = (candidate: PagingCandidate, verdict: ListDraft.Verdict)

    /// Asks for the second page of each candidate, until one is confirmed.
    private func tried(
        _ candidates: [PagingCandidate], of list: String, from first: SeenList,
        _ judge: (SeenList, PagingCandidate) -> ListDraft.Verdict
    ) async throws(CommandError) -> [Tried] {
        var tried: [Tried] = []
        for candidate in candidates {
            let verdict: ListDraft.Verdict
            do throws(APIError) {
                verdict = judge(
                    try await second(at: try target(of: candidate, list, from: first)), candidate)
            } catch .transport(.cancelled) {
                throw .interrupted
            } catch .redirectRefused(let reason) {
                verdict = .refused("its address is not followed: \(reason)")
            } catch {
                verdict = .refused(error.description)
            }
            tried.append((candidate, verdict))
            if verdict.isConfirmed { break }
        }
        return tried
    }

    /// The list, asked for one row; nil where the server does not show that row alone.
    private func narrowed(
        _ draft: ListDraft, _ list: String
    ) async throws(CommandError) -> (seen: SeenList, list: NarrowedList)? {
        let target = client.target(
            of: NarrowedList.list(list),
            parameters: NarrowedList.parameters.map { ($0.name, $0.value) })
        do throws(APIError) {
            let seen = try await second(at: target)
            return NarrowedList(seen, of: draft).map { (seen, $0) }
        } catch .transport(.cancelled) {
            throw .interrupted
        } catch {
            return nil
        }
    }

    /// Reads another answer of the server, when its pace lets it go.
    func second(at target: String) async throws(APIError) -> SeenList {
        let (sighting, body) = try await pace.read { () async throws(APIError) in
            let sighting = try await client.look(at: target)
            return (sighting, try sighting.content.get())
        }
        do throws(ProposalError) {
            return try SeenList(sighting.response, body: body, target: sighting.target)
        } catch {
            throw .malformed(error.description)
        }
    }

    private func target(
        of candidate: PagingCandidate, _ list: String, from first: SeenList
    ) throws(APIError) -> String {
        switch candidate.second {
        case .address(let address): try client.target(of: address, from: first.target)
        case .parameters(let parameters):
            client.target(
                of: candidate.list(list), parameters: parameters.map { ($0.name, $0.value) })
        }
    }

    private func look(at target: String) async throws(CommandError) -> SeenList {
        let sighting: ListClient.Sighting
        do throws(APIError) {
            sighting = try await client.look(at: target)
        } catch {
            throw refusal(error, HTTPResponse(status: 0))
        }
        let body: [UInt8]
        do throws(APIError) {
            body = try sighting.content.get()
        } catch {
            throw refusal(error, sighting.response)
        }
        guard !SeenList.isPage(body) else {
            throw .data(ProposalError.page.description, hint: ProposalError.page.hint)
        }
        do throws(ProposalError) {
            return try SeenList(sighting.response, body: body, target: sighting.target)
        } catch {
            throw .data(error.description, hint: error.hint)
        }
    }
}
