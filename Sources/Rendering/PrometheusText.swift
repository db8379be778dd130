/// Metrics in the text format of Prometheus: what the node exporter's textfile collector reads.
///
/// Each family stands once, with its help and its type before its samples, in the order given.
///
/// Source: the exposition formats of Prometheus, text format 0.0.4.
public struct PrometheusText: Sendable, Hashable {
    /// In the order they are written.
    public var families: [Family]

    /// Samples of one name; a family without samples is left out.
    public struct Family: Sendable, Hashable {
        /// Letters, digits and `_`, with the unit at its end.
        public var name: String
        /// What is measured, in one line.
        public var help: String
        /// With different labels.
        public var samples: [Sample]

        /// A family of gauges, which is all that can be read from a cache.
        public init(_ name: String, _ help: String, _ samples: [Sample]) {
            self.name = name
            self.help = help
            self.samples = samples
        }
    }

    /// One number and what it is of.
    public struct Sample: Sendable, Hashable {
        /// Names and values, in the order they are written.
        public var labels: [Label]
        /// A number that JSON knows, too: neither NaN nor infinite.
        public var value: Double

        /// A sample; without labels, of the whole.
        public init(_ value: Double, _ labels: [Label] = []) {
            self.labels = labels
            self.value = value
        }
    }

    /// A name and what it is for one sample.
    public struct Label: Sendable, Hashable {
        /// Letters, digits and `_`.
        public var name: String
        /// Any text; escaped when it is written.
        public var value: String

        /// A label.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Metrics of these families.
    public init(_ families: [Family]) {
        self.families = families
    }

    /// The whole text; it ends with a newline.
    public var bytes: [UInt8] {
        var text = ""
        for family in families where !family.samples.isEmpty {
            text += "# HELP \(family.name) \(Self.escaped(family.help, quote: false))\n"
            text += "# TYPE \(family.name) gauge\n"
            for sample in family.samples {
                text +=
                    "\(family.name)\(Self.written(sample.labels)) "
                    + Self.written(sample.value) + "\n"
            }
        }
        return Array(text.utf8)
    }

    private static func written(_ labels: [Label]) -> String {
        guard !labels.isEmpty else { return "" }
        let pairs = labels.map { "\($0.name)=\"\(escaped($0.value, quote: true))\"" }
        return "{" + pairs.joined(separator: ",") + "}"
    }

    /// Whole numbers without a fraction: 434 rows are not 434.0.
    private static func written(_ value: Double) -> String {
        guard let whole = Int64(exactly: value) else { return "\(value)" }
        return "\(whole)"
    }

    private static func escaped(_ text: String, quote: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quote: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
