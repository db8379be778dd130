/// A document without the elements of its lists: each list that has any has one number instead.
///
/// One pass, so that what stands around the rows of a large body can be read without them.
package enum JSONOutline {
    /// The outline of `body`; of what is no JSON, anything.
    package static func of(_ body: [UInt8]) -> [UInt8] {
        var outline: [UInt8] = []
        var lists = 0
        var isEmpty = true
        var isText = false
        var isEscaped = false
        for byte in body {
            let isOutside = lists == 0
            if isText {
                isText = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "\"") {
                isText = true
            } else if byte == UInt8(ascii: "[") {
                lists += 1
                if isOutside { isEmpty = true }
            } else if byte == UInt8(ascii: "]"), lists > 0 {
                lists -= 1
                if lists == 0 {
                    outline += Array((isEmpty ? "]" : "0]").utf8)
                    continue
                }
            }
            if isOutside {
                outline.append(byte)
            } else if byte > UInt8(ascii: " ") {
                isEmpty = false
            }
        }
        return outline
    }
}
