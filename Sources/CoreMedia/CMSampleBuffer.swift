/// A number of samples.
/// - Since: iOS 4.0
public typealias CMItemCount = Int

/// The times of a sample.
/// - Since: iOS 4.0
public struct CMSampleTimingInfo: Hashable, Sendable {
    /// The duration of each sample.
    /// - Since: iOS 4.0
    public var duration: CMTime
    /// The time at which the first sample is heard.
    /// - Since: iOS 4.0
    public var presentationTimeStamp: CMTime
    /// The time at which the first sample is decoded; invalid if that doesn't matter.
    /// - Since: iOS 4.0
    public var decodeTimeStamp: CMTime

    /// Creates times.
    /// - Since: iOS 4.0
    public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
        self.duration = duration
        self.presentationTimeStamp = presentationTimeStamp
        self.decodeTimeStamp = decodeTimeStamp
    }
}

/// Samples of audio without compression, and the time at which they are heard.
///
/// This is a class because queues share it. It never changes, except for the bytes of its data buffer.
/// - Since: iOS 4.0
public final class CMSampleBuffer: Sendable {
    /// The bytes.
    /// - Since: iOS 13.0
    public let dataBuffer: CMBlockBuffer?
    /// The format.
    /// - Since: iOS 13.0
    public let formatDescription: CMFormatDescription?
    /// The number of frames.
    /// - Since: iOS 13.0
    public let numSamples: CMItemCount
    /// The time at which the first frame is heard.
    /// - Since: iOS 13.0
    public let presentationTimeStamp: CMTime

    /// Creates samples of audio.
    ///
    /// - Parameters:
    ///   - dataBuffer: The bytes of at least as many frames.
    ///   - formatDescription: The format.
    ///   - numSamples: The number of frames.
    ///   - presentationTimeStamp: The time at which the first frame is heard.
    /// - Throws: `NSError` with the code ``kCMSampleBufferError_RequiredParameterMissing`` if there are too few bytes or the
    ///   time isn't a number.
    /// - Since: iOS 13.0
    public convenience init(
        dataBuffer: CMBlockBuffer,
        formatDescription: CMFormatDescription,
        numSamples: CMItemCount,
        presentationTimeStamp: CMTime
    ) throws {
        let scale = formatDescription.audioStreamBasicDescription.map { CMTimeScale($0.mSampleRate) } ?? 1
        try self.init(
            dataBuffer: dataBuffer,
            formatDescription: formatDescription,
            numSamples: numSamples,
            sampleTimings: [
                CMSampleTimingInfo(
                    duration: CMTime(value: 1, timescale: scale),
                    presentationTimeStamp: presentationTimeStamp,
                    decodeTimeStamp: .invalid
                )
            ],
            sampleSizes: []
        )
    }

    /// Creates samples of audio with their times.
    ///
    /// - Parameters:
    ///   - dataBuffer: The bytes of at least as many frames.
    ///   - formatDescription: The format.
    ///   - numSamples: The number of frames.
    ///   - sampleTimings: The times of the first frame. Further ones are ignored, because frames of audio follow each other.
    ///   - sampleSizes: Ignored, because all frames of audio have the same size.
    /// - Throws: `NSError` with the code ``kCMSampleBufferError_RequiredParameterMissing`` if there are too few bytes, or no
    ///   time that is a number.
    /// - Since: iOS 13.0
    public init(
        dataBuffer: CMBlockBuffer?,
        formatDescription: CMFormatDescription?,
        numSamples: CMItemCount,
        sampleTimings: [CMSampleTimingInfo],
        sampleSizes: [Int]
    ) throws {
        guard let dataBuffer, let format = formatDescription?.audioStreamBasicDescription, numSamples > 0,
            let timing = sampleTimings.first, timing.presentationTimeStamp.isNumeric,
            numSamples <= dataBuffer.dataLength / Int(format.mBytesPerFrame)
        else { throw mediaError(kCMSampleBufferError_RequiredParameterMissing) }
        self.dataBuffer = dataBuffer
        self.formatDescription = formatDescription
        self.numSamples = numSamples
        presentationTimeStamp = timing.presentationTimeStamp
    }

    /// The duration of all frames.
    /// - Since: iOS 13.0
    public var duration: CMTime {
        let scale = formatDescription?.audioStreamBasicDescription?.mSampleRate ?? 1
        return CMTime(value: CMTimeValue(numSamples), timescale: CMTimeScale(scale))
    }
}
