internal import Synchronization
public import Text

/// The log of a process: one line for each event, on standard error.
///
/// Foreign text may be put into messages and fields as it came: the sink takes registered secrets
/// out and escapes what could start a line or move a terminal's cursor. A line that cannot be
/// written is dropped.
public final class Log: Sendable {
    /// A named fact beside the message.
    public struct Field: Sendable, Hashable {
        /// ASCII letters, digits and `_`.
        public let name: String
        /// Any text.
        public let value: String

        /// A fact named `name`.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    private struct Settings {
        var level: LogLevel
        var format: LogFormat
    }

    private let output: StandardError
    private let time: any TimeSource
    private let secrets: Secrets
    private let settings: Mutex<Settings>

    /// A log on `output`.
    public init(
        output: StandardError, level: LogLevel, format: LogFormat, time: any TimeSource,
        secrets: Secrets
    ) {
        self.output = output
        self.time = time
        self.secrets = secrets
        settings = Mutex(Settings(level: level, format: format))
    }

    /// Changes what is told and how, from the next line on; for a reload.
    public func configure(level: LogLevel, format: LogFormat) {
        settings.withLock { $0 = Settings(level: level, format: format) }
    }

    /// Tells `message` if the log tells things of `level`; otherwise nothing of it is worked out.
    public func callAsFunction(
        _ level: LogLevel, _ message: @autoclosure () -> String, _ fields: Field...
    ) {
        let settings = settings.withLock { $0 }
        guard level >= settings.level else { return }
        let safe = fields.map { Field($0.name, secrets.masked($0.value)) }
        let text = secrets.masked(message())
        output.write(line(level, text, safe, as: settings.format) + "\n")
    }

    private func line(
        _ level: LogLevel, _ message: String, _ fields: [Field], as format: LogFormat
    ) -> String {
        switch format {
        case .text:
            let padding = String(repeating: " ", count: 7 - level.rawValue.count)
            return "\(time.wallTime()) \(level.rawValue)\(padding) " + plain(message, fields)
        case .journal:
            return "<\(level.priority)>" + plain(message, fields)
        case .json:
            let first = [
                Field("time", time.wallTime().description), Field("level", level.rawValue),
                Field("message", message),
            ]
            return "{" + (first + fields).map(Self.member).joined(separator: ",") + "}"
        }
    }

    private func plain(_ message: String, _ fields: [Field]) -> String {
        ([ForeignText(message).escaped] + fields.map(Self.word)).joined(separator: " ")
    }

    /// `name=value`, the value in quotes unless it is one plain word.
    private static func word(_ field: Field) -> String {
        let value = ForeignText(field.value).escaped
        let isPlain =
            !value.isEmpty
            && !value.unicodeScalars.contains { $0 == " " || $0 == "\"" || $0 == "=" }
        if isPlain { return "\(field.name)=\(value)" }
        let escaped = value.replacingScalars("\"", with: "\\\"")
        return "\(field.name)=\"\(escaped)\""
    }

    private static func member(_ field: Field) -> String {
        var bytes: [UInt8] = []
        JSONText.append(field.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        JSONText.append(field.value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
