internal import APIClient
internal import Proposals

/// How only what has changed is asked for.
extension ListLook {
    /// What is proposed, or why not; nil where no field of the rows has the name of a moment.
    func since(_ draft: ListDraft) async throws(CommandError) -> FoundSince? {
        guard var search = SinceSearch(draft) else { return FoundSince.unfit(draft) }
        while let question = search.question {
            let target = client.target(of: question.list, parameters: [])
            do throws(APIError) {
                search.take(.seen(try await second(at: target)), to: question)
            } catch .transport(.cancelled) {
                throw .interrupted
            } catch .status(let failure) where failure.isNotNow {
                search.take(.busy("the server answers \(failure.code)"), to: question)
            } catch .status(let failure) {
                search.take(.refused("the server answers \(failure.code)"), to: question)
            } catch {
                search.take(.refused("no list comes"), to: question)
            }
        }
        return search.finding
    }

    /// How the first row is read alone; nil where no way to it was found.
    func read(_ draft: ListDraft) async throws(CommandError) -> FoundRead? {
        for candidate in RowCandidate.all(draft) {
            do throws(APIError) {
                let answer = try await second(
                    at: client.target(of: candidate.list, parameters: []))
                if let found = candidate.judge(answer) { return found }
            } catch .transport(.cancelled) {
                throw .interrupted
            } catch {
                continue
            }
        }
        return nil
    }
}
