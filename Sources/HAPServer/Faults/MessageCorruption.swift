internal import HAP
internal import NIOCore

/// What becomes of a message on its way out.
enum MessageCorruption: Hashable, Sendable {
    /// Half of the bytes go out.
    case half
    /// The authentication tag of the last frame is wrong.
    case wrongTag

    /// The bytes that go out.
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
