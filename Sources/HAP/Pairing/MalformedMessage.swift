/// An error in a controller's or accessory's message: it is not TLV8, incomplete, or out of order. An accessory answers
/// with HTTP 400.
public struct MalformedMessage: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, for logs.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    init(_ error: TLV8Error) {
        self.init(error.description)
    }
}
