import AirPlay
import CoreMedia
import Foundation

/// The samples that wait in a renderer, by their times: 44,100 frames a second, left and right alternating.
struct SampleQueue: Sendable {
    /// The number of frames that wait before a renderer takes no more, 5 s.
    static let readyLimit = 220_500

    private struct Part: Sendable {
        /// The first frame, counted from the time 0.
        var start: Int
        var samples: [Int16]

        var end: Int { start + samples.count / AudioFormat.channelCount }
    }

    private var parts: [Part] = []

    /// The frame after the last one.
    var end: Int? { parts.last?.end }

    /// Adds samples. Where they overlap former ones, the former ones are heard.
    mutating func append(_ buffer: CMSampleBuffer) throws(AVError) {
        guard let format = buffer.formatDescription?.audioStreamBasicDescription,
            let bytes = try? buffer.dataBuffer?.dataBytes(),
            let start = Self.frame(at: buffer.presentationTimeStamp)
        else { throw AVError(.fileFormatNotRecognized, "The sample buffer has no samples that can be played.") }
        let channelCount = Int(format.mChannelsPerFrame)
        let isFloat = format.mFormatFlags & kAudioFormatFlagIsFloat != 0
        let samples: [Int16] = bytes.withUnsafeBytes { bytes in
            func sample(_ frame: Int, _ channel: Int) -> Double {
                let index = min(frame, buffer.numSamples - 1) * channelCount + min(channel, channelCount - 1)
                guard isFloat else { return Double(bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self)) }
                let value = bytes.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
                return value.isFinite ? (Double(value) * 32_768).rounded() : 0
            }
            let ratio = format.mSampleRate / Double(AudioFormat.sampleRate)
            let count = Int((Double(buffer.numSamples) / ratio).rounded())
            var samples: [Int16] = []
            samples.reserveCapacity(count * AudioFormat.channelCount)
            for index in 0..<count {
                let exact = Double(index) * ratio
                let frame = Int(exact)
                let fraction = exact - Double(frame)
                for channel in 0..<AudioFormat.channelCount {
                    var value = sample(frame, channel)
                    if fraction > 0 { value += (sample(frame + 1, channel) - value) * fraction }
                    samples.append(Int16(min(max(value, -32_768), 32_767)))
                }
            }
            return samples
        }
        let part = Part(start: start, samples: samples)
        // Buffers usually come in order.
        let index = parts.lastIndex { $0.start <= start }.map { $0 + 1 } ?? 0
        parts.insert(part, at: index)
    }

    /// Returns the frame of a time. Returns `nil` if the time isn't a number.
    static func frame(at time: CMTime) -> Int? {
        let seconds = time.seconds
        return seconds.magnitude < 1e12 ? Int((seconds * Double(AudioFormat.sampleRate)).rounded()) : nil
    }

    /// Removes samples that have been heard.
    mutating func removeAll(before frame: Int) {
        parts.removeAll { $0.end <= frame }
    }

    /// Removes samples from a time.
    mutating func removeAll(from frame: Int) {
        parts.removeAll { $0.start >= frame }
        guard let last = parts.indices.last, parts[last].end > frame else { return }
        parts[last].samples.removeLast((parts[last].end - frame) * AudioFormat.channelCount)
    }

    /// Adds frames to other samples. Missing ones are silent.
    func mix(from start: Int, into samples: inout [Int16], gain: Double) {
        let count = samples.count / AudioFormat.channelCount
        var position = start
        for part in parts where part.end > position && part.start < start + count {
            let first = max(part.start, position)
            let last = min(part.end, start + count)
            guard first < last else { continue }
            for frame in first..<last {
                for channel in 0..<AudioFormat.channelCount {
                    let value = part.samples[(frame - part.start) * AudioFormat.channelCount + channel]
                    let index = (frame - start) * AudioFormat.channelCount + channel
                    let scaled = gain == 1 ? Int(value) : Int((Double(value) * gain).rounded())
                    samples[index] = Int16(clamping: Int(samples[index]) + scaled)
                }
            }
            position = last
        }
    }
}
