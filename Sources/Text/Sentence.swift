/// Sentences for a person, made of parts that may be foreign.
///
/// Our own parts end without a full stop. A server's reason or a library's message may have one already. Law: where
/// one part ends, there is one mark of an end. So every text that is followed by another one is joined here.
public enum Sentence: Sendable {
    /// `text` with a full stop, unless it ends with a mark of its own.
    public static func ended(_ text: String) -> String {
        guard let last = text.unicodeScalars.last, !".!?…".unicodeScalars.contains(last) else {
            return text
        }
        return text + "."
    }

    /// `text` as a sentence, and `next` behind it as it came; only `text` if there is no next one.
    /// `next` can be a command to run, so it gets no full stop.
    public static func joined(_ text: String, _ next: String?) -> String {
        guard let next else { return text }
        return text.isEmpty ? next : ended(text) + " " + next
    }
}
