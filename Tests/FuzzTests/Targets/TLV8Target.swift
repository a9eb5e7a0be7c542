@testable import HAP

extension FuzzTarget {
    /// TLV8 bytes: the reader is strict, so that there is only one encoding that it accepts.
    static let tlv8 = FuzzTarget("tlv8", maximumLength: 1_100) { input throws(Violation) in
        guard let tlv = try? TLV8(decoding: input) else {
            try hold((try? TLV8(decodingMessage: input)) == nil, "a message is TLV8")
            return false
        }
        try hold(tlv.encoded() == input, "a decoded message is encoded as it was")
        let types = tlv.items.map(\.type)
        let isMessage = (try? TLV8(decodingMessage: input)) != nil
        try hold(isMessage == (Set(types).count == types.count), "a message has no type twice")
        let reply = try? TLV8(decodingReply: input)
        try hold(reply == (isMessage ? tlv : nil), "the lenient reader gives the same message")
        let lenient = try? TLV8.entries(decodingReply: input)
        try hold(lenient?.allSatisfy { Set($0.items.map(\.type)).count == $0.items.count } ?? false, "nor has an entry")
        for item in tlv.items {
            let integer = try? tlv.integer(item.type)
            try hold((integer != nil) == (1...8).contains(tlv[item.type]?.count ?? 0), "an integer has 1 to 8 bytes")
        }
        return true
    }
}
