package import Foundation

/// Cuts a stream of bytes into frames. It keeps at most one frame that is incomplete.
package struct LiveFrameReader: Sendable {
    private var buffer = Data()
    private var hasFailed = false

    /// Creates a reader at the start of a stream.
    package init() {}

    /// Takes the next bytes of the stream.
    ///
    /// - Returns: The frames that are complete.
    /// - Throws: `malformed` if a frame's length is out of range. The reader takes nothing more after that.
    package mutating func receive(_ bytes: Data) throws(RelayError) -> [LiveFrame] {
        guard !hasFailed else { throw Self.wrongLength }
        buffer.append(bytes)
        var frames: [LiveFrame] = []
        var rest = buffer[...]
        while true {
            var reader = ByteReader(rest)
            guard let length = reader.integer(UInt32.self) else { break }
            guard (LiveFrame.prefixBytes...LiveFrame.prefixBytes + LiveFrame.payloadBytes).contains(Int(length)) else {
                hasFailed = true
                buffer = Data()
                throw Self.wrongLength
            }
            guard let kind = reader.integer(UInt8.self), let pipe = reader.integer(UInt32.self),
                let payload = reader.bytes(Int(length) - LiveFrame.prefixBytes)
            else { break }
            frames.append(LiveFrame(LiveFrame.Kind(rawValue: kind), pipe: pipe, payload: payload))
            rest = rest.dropFirst(MemoryLayout<UInt32>.size + Int(length))
        }
        buffer = Data(rest)
        return frames
    }

    /// Cuts bytes that hold whole frames.
    ///
    /// - Throws: `malformed` if they don't.
    package static func frames(in bytes: Data) throws(RelayError) -> [LiveFrame] {
        var reader = LiveFrameReader()
        let frames = try reader.receive(bytes)
        guard reader.buffer.isEmpty else { throw .malformed("The last frame isn't complete.") }
        return frames
    }

    private static let wrongLength = RelayError.malformed("A frame's length is out of range.")
}
