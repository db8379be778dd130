/// The words of the process's own command line.
package enum RawArguments {
    /// Everything after the program's name; refused where a word is not UTF-8, because a title or a
    /// path that was repaired would be another one.
    package static func words() throws(UsageError) -> [String] {
        var words: [String] = []
        for index in 1..<max(1, Int(Swift.CommandLine.argc)) {
            guard let word = Swift.CommandLine.unsafeArgv[index] else { break }
            guard let text = String(validatingCString: word) else {
                throw UsageError("argument \(index) is not valid UTF-8", command: nil)
            }
            words.append(text)
        }
        return words
    }
}
