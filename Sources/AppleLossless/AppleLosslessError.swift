/// An error in an Apple Lossless stream.
package enum AppleLosslessError: Error, Hashable, Sendable {
    /// A parameter of the stream is out of range.
    case unsupportedConfiguration
    /// The magic cookie doesn't have 24 bytes.
    case malformedCookie
    /// The packet ends before its samples.
    case truncatedPacket
    /// The packet contains an element other than the stream's channels.
    case unsupportedElement
    /// The packet claims more frames than the configuration allows, or none.
    case invalidFrameCount
    /// The packet's prediction is invalid.
    case invalidPrediction
    /// The packet has a run of zeros that is longer than the packet.
    case invalidRun
}

extension AppleLosslessError: CustomStringConvertible {
    /// The reason, for logs.
    package var description: String {
        switch self {
        case .unsupportedConfiguration: "the stream's parameters are out of range"
        case .malformedCookie: "the magic cookie doesn't have 24 bytes"
        case .truncatedPacket: "the packet ends before its samples"
        case .unsupportedElement: "the packet contains an element other than the stream's channels"
        case .invalidFrameCount: "the packet has no frames, or more than announced"
        case .invalidPrediction: "the packet's prediction is invalid"
        case .invalidRun: "a run of zeros is longer than the packet"
        }
    }
}
