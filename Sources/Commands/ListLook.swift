internal import APIClient
internal import Proposals
internal import Text

/// Looks at a list that nobody has declared yet: one request, and one more for each way to a second page that
/// the answer hints at.
struct ListLook: Sendable {
    let client: ListClient
    let address: ListAddress
    /// Whether a token was sent, which decides what a refusal means.
    let hasToken: Bool

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
        var tried: [(candidate: PagingCandidate, verdict: ListDraft.Verdict)] = []
        for candidate in draft.candidates {
            let verdict = try await verdict(on: candidate, of: draft, list: list, from: first)
            tried.append((candidate, verdict))
            if verdict.isConfirmed { break }
        }
        var proposal = draft.proposal(server: server, tried: tried)
        if list != address.list {
            proposal.note("list", "\(list), because the server redirects \(address.list) there")
        }
        return proposal
    }

    private func verdict(
        on candidate: PagingCandidate, of draft: ListDraft, list: String, from first: SeenList
    ) async throws(CommandError) -> ListDraft.Verdict {
        let sighting: ListClient.Sighting
        let body: [UInt8]
        do throws(APIError) {
            sighting = try await client.look(at: try target(of: candidate, list, from: first))
            body = try sighting.content.get()
        } catch .transport(.cancelled) {
            throw .interrupted
        } catch .redirectRefused(let reason) {
            return .refused("its address is not followed: \(reason)")
        } catch {
            return .refused(error.description)
        }
        do throws(ProposalError) {
            return draft.judge(
                try SeenList(sighting.response, body: body, target: sighting.target),
                of: candidate)
        } catch {
            return .refused(error.description)
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
