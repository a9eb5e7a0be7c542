internal import HAP
internal import NIOCore

/// The corruption of an outgoing message.
enum MessageCorruption: Hashable, Sendable {
    /// Only half of the bytes are sent.
    case half
    /// The authentication tag of the last frame is wrong.
    case wrongTag

    /// Returns the bytes to send.
    func applied(to message: ByteBuffer) -> ByteBuffer {
        var message = message
        switch self {
        case .half:
            message.moveWriterIndex(to: message.readerIndex + message.readableBytes / 2)
        case .wrongTag:
            // A frame ends with its tag.
            let last = message.writerIndex - 1
            if let byte: UInt8 = message.getInteger(at: last) { message.setInteger(~byte, at: last) }
        }
        return message
    }
}
