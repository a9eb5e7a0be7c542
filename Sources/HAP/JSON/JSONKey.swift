/// The name of a member as it is encoded, with its quotation marks and its colon. Messages with many entries repeat names.
struct JSONKey: Sendable {
    /// The bytes to write. They are part of the program, so that they need no array.
    let encoded: StaticString
}

extension JSONKey {
    /// ``AttributeKey/characteristics``.
    static var characteristics: JSONKey { JSONKey(encoded: #""characteristics":"#) }
    /// ``AttributeKey/aid``.
    static var aid: JSONKey { JSONKey(encoded: #""aid":"#) }
    /// ``AttributeKey/iid``.
    static var iid: JSONKey { JSONKey(encoded: #""iid":"#) }
    /// ``AttributeKey/status``.
    static var status: JSONKey { JSONKey(encoded: #""status":"#) }
    /// ``AttributeKey/value``.
    static var value: JSONKey { JSONKey(encoded: #""value":"#) }
}
