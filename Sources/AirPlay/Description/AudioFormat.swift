package import AppleLossless

/// The format of a stream's audio. It always has 44,100 frames a second, two channels and 16 bits a sample.
package enum AudioFormat: Hashable, Sendable {
    /// Samples as they are, the most significant byte first.
    case pcm
    /// Apple Lossless packets.
    case appleLossless(AppleLosslessConfiguration)

    /// The number of frames in a second.
    package static let sampleRate = 44_100
    /// The number of channels.
    package static let channelCount = 2
    /// The number of bytes in a frame.
    package static let frameLength = 4
    /// The number of frames in a packet, unless the sender announces another number.
    package static let framesPerPacket = 352
}
