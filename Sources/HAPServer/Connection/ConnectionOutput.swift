internal import HAP

/// The messages that a connection sends, in frames once it is secured.
///
/// It can't be copied, because two copies of a sealer would use a nonce twice.
struct ConnectionOutput: ~Copyable {
    /// The encrypter of frames; `nil` before the connection is secured.
    private var sealer: FrameSealer?
    /// The maximum length of the content of a frame, or `nil` for that of HAP.
    var frameLength: Int?
    /// The last short response, and the last short message in frames. Their memory is used again.
    private var response: [UInt8] = []
    private var message: [UInt8] = []

    /// The maximum capacity that is kept for the next message.
    private static let keptCapacity = 1_024

    /// Whether all messages are framed.
    var isSecured: Bool { sealer != nil }

    /// Frames all further messages.
    mutating func secure(_ key: FrameKey) {
        sealer = FrameSealer(key: key)
    }

    /// Returns the bytes to write for a response, or `nil` if the connection must be closed because no more frames can be
    /// sealed.
    mutating func bytes(for response: HTTPResponse) -> [UInt8]? {
        self.response.removeAll(keepingCapacity: true)
        response.encode(to: &self.response)
        let message = bytes(for: self.response)
        if self.response.capacity > Self.keptCapacity { self.response = [] }
        return message
    }

    /// Returns the bytes to write for a message, or `nil` if the connection must be closed because no more frames can be
    /// sealed.
    mutating func bytes(for plaintext: [UInt8]) -> [UInt8]? {
        guard sealer != nil else { return plaintext }
        if let frameLength { return frames(of: frameLength, plaintext) }
        let length = FrameSealer.sealedLength(of: plaintext.count)
        message.removeAll(keepingCapacity: true)
        message.append(addingCapacity: length) { output in
            output.withUnsafeMutableBufferPointer { output, count in
                let isSealed = sealer?.seal(plaintext, into: UnsafeMutableRawBufferPointer(output))
                count = isSealed == true ? length : 0
            }
        }
        let sealed = message
        if sealed.capacity > Self.keptCapacity { message = [] }
        return sealed.count == length ? sealed : nil
    }

    /// Returns a message in frames of a length.
    private mutating func frames(of frameLength: Int, _ plaintext: [UInt8]) -> [UInt8]? {
        var frames: [UInt8] = []
        for start in stride(from: 0, to: plaintext.count, by: frameLength) {
            guard let frame = try? sealer?.seal(plaintext[start...].prefix(frameLength)) else { return nil }
            frames += frame
        }
        return frames
    }
}
