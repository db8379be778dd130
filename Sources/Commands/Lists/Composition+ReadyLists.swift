internal import CommandLine
internal import Configuration
internal import Declarations
internal import Proposals
internal import ReadyLists
internal import Text

extension ReadyList {
    /// The names of all, for a sentence.
    static var names: String { all.map(\.name).joined(separator: ", ") }
}

extension Composition {
    /// What `declare --like` proposes, and the file that it is for. No server is asked.
    func readyProposal(
        _ arguments: Arguments, _ settings: Settings
    ) throws(CommandError) -> (NewListFile, ListProposal) {
        let wanted = arguments.values["like"] ?? ""
        guard let ready = ReadyList.all.first(where: { $0.name == wanted }) else {
            let names = ReadyList.all.map(\.name)
            throw arguments.usage(
                "there is no ready declaration ‘\(Arguments.shown(wanted))’"
                    + NearestName.remark(on: wanted, among: names)
                    + ". There are \(ReadyList.names)")
        }
        if let other = ["server", "token-as", "header"].first(where: {
            arguments.values[$0] != nil
        }) {
            throw arguments.usage("--like describes the server, and goes with no --\(other)")
        }
        let url = arguments.operands.first
        let secret = try arguments.values["token-file"].map { file throws(CommandError) in
            try absolute(file)
        }
        let like: LikeList
        let address: ListAddress
        do throws(ListAddress.Problem) {
            let own = try url.map { url throws(ListAddress.Problem) in try ListAddress(url) }
            like = try LikeList(
                ready.object, at: own, user: arguments.values["user"], secretFile: secret)
            address = try ListAddress("https://a.example\(like.list)")
        } catch {
            throw .data(error.sentence, hint: error.hint)
        }
        let file = NewListFile(
            name: try address.listName(arguments), settings: settings, composition: self)
        if arguments.flags.contains("write") { try file.requireFree() }
        return (file, like.proposal)
    }
}

extension ReadyList {
    /// A test reads each of them.
    fileprivate var object: JSONNode { (try? JSONReader.read(bytes)) ?? .object([]) }
}
