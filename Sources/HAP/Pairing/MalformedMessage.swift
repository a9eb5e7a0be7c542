/// A peer's message is not TLV8, lacks something, or came out of order. An accessory answers HTTP 400.
public struct MalformedMessage: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, for logs.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    init(_ error: TLV8Error) {
        self.init(error.description)
    }
}
