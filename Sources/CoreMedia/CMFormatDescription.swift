import Foundation

/// The format of media.
///
/// This is a class because apps compare formats by identity too. It never changes.
/// - Since: iOS 4.0
public final class CMFormatDescription: Hashable, Sendable {
    /// The format of audio.
    /// - Since: iOS 13.0
    public let audioStreamBasicDescription: AudioStreamBasicDescription?

    /// Creates the description of audio without compression: 16-bit whole numbers or 32-bit floating-point numbers, one or
    /// two interleaved channels, 1 to 384,000 frames a second.
    ///
    /// - Throws: `NSError` of the domain `NSOSStatusErrorDomain` with the code -12710 for other formats.
    /// - Since: iOS 13.0
    public init(audioStreamBasicDescription: AudioStreamBasicDescription) throws {
        let format = audioStreamBasicDescription
        let isFloat = format.mFormatFlags & kAudioFormatFlagIsFloat != 0
        let isInteger = format.mFormatFlags & kAudioFormatFlagIsSignedInteger != 0
        let bits: UInt32 = isFloat ? 32 : 16
        guard format.mFormatID == kAudioFormatLinearPCM, isFloat != isInteger, format.mBitsPerChannel == bits,
            (1...2).contains(format.mChannelsPerFrame), (1...384_000).contains(format.mSampleRate),
            format.mFormatFlags & (kAudioFormatFlagIsNonInterleaved | kAudioFormatFlagIsBigEndian) == 0,
            format.mBytesPerFrame == bits / 8 * format.mChannelsPerFrame
        else { throw mediaError(kCMFormatDescriptionError_InvalidParameter) }
        self.audioStreamBasicDescription = format
    }

    /// Returns whether two descriptions are of the same format.
    /// - Since: iOS 4.0
    public static func == (left: CMFormatDescription, right: CMFormatDescription) -> Bool {
        left.audioStreamBasicDescription == right.audioStreamBasicDescription
    }

    /// Hashes the format.
    /// - Since: iOS 4.0
    public func hash(into hasher: inout Hasher) {
        hasher.combine(audioStreamBasicDescription)
    }
}

/// The format of audio.
/// - Since: iOS 4.0
public typealias CMAudioFormatDescription = CMFormatDescription

/// A parameter is invalid.
/// - Since: iOS 4.0
public let kCMFormatDescriptionError_InvalidParameter: Int32 = -12710
/// A number of bytes or a position is out of range.
/// - Since: iOS 4.0
public let kCMBlockBufferBadLengthParameterErr: Int32 = -12704
/// A parameter lacks.
/// - Since: iOS 4.0
public let kCMSampleBufferError_RequiredParameterMissing: Int32 = -12731

/// Returns the error that Apple's functions throw for a status.
func mediaError(_ status: Int32) -> NSError { NSError(domain: "NSOSStatusErrorDomain", code: Int(status)) }
