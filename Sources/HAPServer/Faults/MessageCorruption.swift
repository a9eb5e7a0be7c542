/// The corruption of an outgoing message.
enum MessageCorruption: Hashable, Sendable {
    /// Only half of the bytes are sent.
    case half
    /// The authentication tag of the last frame is wrong.
    case wrongTag

    /// Returns the bytes to send.
    func applied(to message: [UInt8]) -> [UInt8] {
        var message = message
        switch self {
        case .half: message.removeLast(message.count - message.count / 2)
        // A frame ends with its tag.
        case .wrongTag: if let last = message.indices.last { message[last] = ~message[last] }
        }
        return message
    }
}
