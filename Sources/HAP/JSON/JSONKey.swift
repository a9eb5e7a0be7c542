/// The name of a member, encoded once with its quotation marks and its colon. Messages with many entries repeat names.
struct JSONKey: Sendable {
    /// The bytes to write.
    let encoded: [UInt8]

    /// Encodes a name.
    init(_ name: String) {
        var writer = JSONWriter()
        writer.key(name)
        encoded = writer.bytes
    }
}

extension JSONKey {
    static let aid = JSONKey(AttributeKey.aid)
    static let iid = JSONKey(AttributeKey.iid)
    static let status = JSONKey(AttributeKey.status)
    static let value = JSONKey(AttributeKey.value)
}
