/// The words of the process's own command line.
enum RawArguments {
    /// Everything after the program's name; refused where a word is not UTF-8, because a title or a
    /// path that was repaired would be another one.
    static func words() throws(CommandError) -> [String] {
        var words: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = CommandLine.unsafeArgv[index] else { break }
            guard let text = String(validatingCString: word) else {
                throw .usage("argument \(index) is not valid UTF-8", command: nil)
            }
            words.append(text)
        }
        return words
    }
}
