extension String {
    /// A header's value without the optional white space around it (RFC 9110 §5.6.3).
    var trimmedHeader: String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard utf8.first.map(isSpace) == true || utf8.last.map(isSpace) == true else { return self }
        let head = utf8.drop(while: isSpace)
        let kept = head.reversed().drop(while: isSpace).reversed()
        return String(decoding: Array(kept), as: UTF8.self)
    }
}
