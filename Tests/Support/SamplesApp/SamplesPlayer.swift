// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import AVFoundation
import Synchronization

/// An app that plays samples of its own, in Swift 6: enhanced buffering with control over the data.
public final class SamplesPlayer: Sendable {
    public let audioRenderer = AVSampleBufferAudioRenderer()
    public let renderSynchronizer = AVSampleBufferRenderSynchronizer()
    private let serializationQueue = DispatchQueue(label: "sample.buffer.player.serialization.queue")
    private let samples: [Int16]
    private let nextFrame = Mutex(0)

    /// Creates a player of samples: 44,100 frames a second, two channels.
    public init(samples: [Int16]) {
        self.samples = samples
        renderSynchronizer.addRenderer(audioRenderer)
    }

    public func start() {
        audioRenderer.requestMediaDataWhenReady(on: serializationQueue) { [weak self] in
            self?.provideMediaData()
        }
        renderSynchronizer.setRate(1, time: .zero)
    }

    public func pause() {
        renderSynchronizer.rate = 0
    }

    public func resume() {
        renderSynchronizer.rate = 1
    }

    public func stop() {
        audioRenderer.stopRequestingMediaData()
        renderSynchronizer.rate = 0
        audioRenderer.flush()
    }

    private func provideMediaData() {
        while audioRenderer.isReadyForMoreMediaData {
            guard let sampleBuffer = nextSampleBuffer() else {
                audioRenderer.stopRequestingMediaData()
                return
            }
            audioRenderer.enqueue(sampleBuffer)
        }
    }

    private func nextSampleBuffer() -> CMSampleBuffer? {
        let range = nextFrame.withLock { next in
            let range = next..<min(next + 4_096, samples.count / 2)
            next = range.upperBound
            return range
        }
        guard !range.isEmpty else { return nil }
        let format = AudioStreamBasicDescription(
            mSampleRate: 44_100,
            mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
            mBytesPerPacket: 4,
            mFramesPerPacket: 1,
            mBytesPerFrame: 4,
            mChannelsPerFrame: 2,
            mBitsPerChannel: 16,
            mReserved: 0
        )
        do {
            let block = try CMBlockBuffer(length: range.count * 4)
            try samples[(range.lowerBound * 2)..<(range.upperBound * 2)].withUnsafeBytes {
                try block.replaceDataBytes(with: $0)
            }
            return try CMSampleBuffer(
                dataBuffer: block,
                formatDescription: CMFormatDescription(audioStreamBasicDescription: format),
                numSamples: range.count,
                presentationTimeStamp: CMTime(value: CMTimeValue(range.lowerBound), timescale: 44_100)
            )
        } catch {
            return nil
        }
    }
}
