/// The samples that a sound card plays, each at its time.
///
/// The card's clock and the sender's differ a little. The difference is corrected by leaving out or repeating single
/// frames. Larger ones, such as at the start or after a disturbance, are corrected at once.
package struct PlaybackQueue: Sendable {
    /// The maximum number of frames that wait, about 12 s.
    package static let capacity = 524_288
    /// The number of missing frames that are filled with silence.
    private static let gapLimit = 4_096
    /// The difference above which frames are left out or silence is inserted at once: 50 ms.
    private static let jump = 2_205
    /// The mean difference above which one frame is left out or repeated: 1 ms.
    private static let tolerance = 44.0
    /// The weight of the latest difference in the mean.
    private static let weight = 1.0 / 32

    /// The numbers of frames that were corrected.
    package struct Statistics: Hashable, Sendable {
        /// Frames that were played.
        package var played = 0
        /// Frames of silence in place of frames that weren't there in time.
        package var missing = 0
        /// Single frames that were repeated, because the card is fast.
        package var repeated = 0
        /// Single frames that were left out, because the card is slow.
        package var skipped = 0
        /// Frames that came too late to be played.
        package var late = 0

        /// Creates numbers that are all 0.
        package init() {}
    }

    /// The numbers of frames so far.
    package private(set) var statistics = Statistics()
    /// The factor by which samples are multiplied, 0 to 1.
    package var gain = 1.0
    /// Which frame plays when, or `nil` if it isn't known. Nothing plays without it.
    package var schedule: PlaybackSchedule?

    /// Frames, left and right in one number, of which those before ``head`` have been played.
    private var frames: [UInt32] = []
    private var head = 0
    /// The number of the frame at ``head``.
    private var timestamp: UInt32 = 0
    /// Whether the last frame that was returned was followed by the next one.
    private var isRunning = false
    private var meanDifference = 0.0

    /// Creates an empty queue.
    package init() {}

    /// The number of frames that wait.
    package var count: Int { frames.count - head }

    /// Adds samples: 16 bits with the least significant byte first, left and right alternating.
    ///
    /// Silence fills a small gap. Frames that don't follow the last ones otherwise replace them. If too many wait, the
    /// new ones are dropped.
    package mutating func append(_ samples: [UInt8], at timestamp: UInt32) {
        let gap = Int(Int32(bitPattern: timestamp &- self.timestamp &- UInt32(count)))
        if count > 0, (1...Self.gapLimit).contains(gap) {
            frames.append(contentsOf: repeatElement(0, count: gap))
        } else if count == 0 || gap != 0 {
            clear()
            self.timestamp = timestamp
        }
        guard count + samples.count / AudioFormat.frameLength <= Self.capacity else {
            statistics.late += samples.count / AudioFormat.frameLength
            return
        }
        if head > Self.capacity { compact() }
        for start in stride(from: 0, to: samples.count - AudioFormat.frameLength + 1, by: AudioFormat.frameLength) {
            let left = UInt32(samples[start]) | UInt32(samples[start + 1]) << 8
            let right = UInt32(samples[start + 2]) | UInt32(samples[start + 3]) << 8
            frames.append(left | right << 16)
        }
    }

    /// Discards what waits.
    package mutating func clear() {
        frames.removeAll(keepingCapacity: true)
        head = 0
        isRunning = false
        meanDifference = 0
    }

    private mutating func compact() {
        frames.removeFirst(head)
        head = 0
    }

    /// Returns the samples for the card, left and right alternating.
    ///
    /// - Parameters:
    ///   - count: The number of frames.
    ///   - time: The time at which the card plays the first one.
    package mutating func next(_ count: Int, playingAt time: NTPTime) -> [Int16] {
        var output: [Int16] = []
        output.reserveCapacity(count * AudioFormat.channelCount)
        let silence = align(to: time, limit: count)
        output.append(contentsOf: repeatElement(0, count: silence * AudioFormat.channelCount))
        guard silence < count else { return output }
        correctDrift(&output)
        while output.count < count * AudioFormat.channelCount, head < frames.count {
            append(frames[head], to: &output)
            head += 1
            timestamp &+= 1
            statistics.played += 1
        }
        isRunning = head < frames.count
        let rest = count * AudioFormat.channelCount - output.count
        if rest > 0 {
            if schedule != nil { statistics.missing += rest / AudioFormat.channelCount }
            output.append(contentsOf: repeatElement(0, count: rest))
        }
        return output
    }

    /// Leaves out frames whose time has passed. Returns the number of frames of silence until the first one's time.
    private mutating func align(to time: NTPTime, limit: Int) -> Int {
        guard let schedule, self.count > 0 else { return limit }
        let difference = Int(Int32(bitPattern: timestamp &- schedule.frame(at: time)))
        guard !isRunning || difference.magnitude > Self.jump else {
            meanDifference += (Double(difference) - meanDifference) * Self.weight
            return 0
        }
        meanDifference = 0
        if difference < 0 {
            let late = min(-difference, self.count)
            head += late
            timestamp &+= UInt32(late)
            statistics.late += late
            return self.count > 0 ? 0 : limit
        }
        return min(difference, limit)
    }

    private mutating func correctDrift(_ output: inout [Int16]) {
        guard meanDifference.magnitude > Self.tolerance, count > 1 else { return }
        if meanDifference > 0 {
            // The frames are early.
            append(frames[head], to: &output)
            statistics.repeated += 1
            meanDifference -= 1
        } else {
            head += 1
            timestamp &+= 1
            statistics.skipped += 1
            meanDifference += 1
        }
    }

    private func append(_ frame: UInt32, to output: inout [Int16]) {
        for sample in [Int16(truncatingIfNeeded: frame), Int16(truncatingIfNeeded: frame >> 16)] {
            output.append(gain == 1 ? sample : Int16((Double(sample) * gain).rounded()))
        }
    }
}
