import AirPlay
import Testing

/// What a sound card is given.
@Suite struct PlaybackQueueTests {
    private static let start = NTPTime(rawValue: 1 << 50)
    private static let schedule = PlaybackSchedule(frame: 1_000, time: start, sampleRate: AudioFormat.sampleRate)

    /// Frames whose left sample is their number and whose right sample is its negative.
    private static func bytes(_ numbers: Range<Int>) -> [UInt8] {
        numbers.flatMap { number in
            [Int16(number), Int16(-number)]
                .flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        }
    }

    private static func queue(_ numbers: Range<Int> = 1_000..<6_000) -> PlaybackQueue {
        var queue = PlaybackQueue()
        queue.schedule = schedule
        queue.append(bytes(numbers), at: UInt32(numbers.lowerBound))
        return queue
    }

    /// The time at which a card plays a frame, a bit after its beginning.
    private static func time(_ frame: Int, card rate: Double = 1) -> NTPTime {
        start.advanced(byNanoseconds: Int64((Double(frame - 1_000) + 0.1) * 1e9 / 44_100 / rate))
    }

    private static func left(_ samples: [Int16]) -> [Int] {
        stride(from: 0, to: samples.count, by: 2).map { Int(samples[$0]) }
    }

    @Test func framesPlayAtTheirTime() {
        var queue = Self.queue()
        #expect(Self.left(queue.next(100, playingAt: Self.time(900))) == Array(repeating: 0, count: 100))
        #expect(Self.left(queue.next(100, playingAt: Self.time(1_000))) == Array(1_000..<1_100))
        #expect(queue.next(2, playingAt: Self.time(1_100)) == [1_100, -1_100, 1_101, -1_101])
        var other = Self.queue()
        let silence = Array(repeating: 0, count: 30)
        #expect(Self.left(other.next(100, playingAt: Self.time(970))) == silence + Array(1_000..<1_070))
        #expect(other.statistics.played == 70)
    }

    @Test func framesThatAreLateAreLeftOut() {
        var queue = Self.queue()
        #expect(Self.left(queue.next(2, playingAt: Self.time(1_500))) == [1_500, 1_501])
        #expect(queue.statistics.late == 500)
        // Also after a disturbance of the card.
        #expect(Self.left(queue.next(2, playingAt: Self.time(4_500))) == [4_500, 4_501])
        #expect(Self.left(queue.next(2, playingAt: Self.time(9_500))) == [0, 0])
    }

    @Test func nothingPlaysWithoutASchedule() {
        var queue = Self.queue()
        queue.schedule = nil
        #expect(Self.left(queue.next(3, playingAt: Self.time(1_000))) == [0, 0, 0])
        #expect(queue.count == 5_000)
    }

    @Test(arguments: [0.999, 1.001])
    func aCardThatIsSlowOrFastStaysInTime(rate: Double) {
        var queue = PlaybackQueue()
        queue.schedule = Self.schedule
        var played = 0
        var appended = 1_000
        var worst = 0
        for chunk in 0..<1_000 {
            if queue.count < 5_000 {
                queue.append(Self.bytes(0..<4_410), at: UInt32(appended))
                appended += 4_410
            }
            let time = Self.time(1_000 + chunk * 441, card: rate)
            _ = queue.next(441, playingAt: time)
            played += 441
            let due = Int(Self.schedule.frame(at: time)) + 441
            worst = max(worst, abs(appended - queue.count - due))
        }
        // 10 s with a difference of 1 ‰ are 441 frames.
        let corrections = rate < 1 ? queue.statistics.skipped : queue.statistics.repeated
        #expect((300...441).contains(corrections))
        #expect((rate < 1 ? queue.statistics.repeated : queue.statistics.skipped) == 0)
        #expect(worst < 120)
        #expect(queue.statistics.missing == 0 && queue.statistics.late == 0)
    }

    @Test func theVolumeIsApplied() {
        var queue = Self.queue()
        queue.gain = 0.5
        #expect(queue.next(1, playingAt: Self.time(1_000)) == [500, -500])
        queue.gain = 0
        #expect(queue.next(1, playingAt: Self.time(1_001)) == [0, 0])
    }

    @Test func gapsAreFilledAndJumpsFollowed() {
        var queue = Self.queue(1_000..<1_010)
        queue.append(Self.bytes(1_012..<1_014), at: 1_012)
        let samples = Self.left(queue.next(14, playingAt: Self.time(1_000)))
        #expect(samples == Array(1_000..<1_010) + [0, 0, 1_012, 1_013])
        queue.append(Self.bytes(20_000..<20_010), at: 20_000)
        queue.append(Self.bytes(30_000..<30_010), at: 30_000)
        #expect(queue.count == 10)
        #expect(Self.left(queue.next(1, playingAt: Self.time(30_000))) == [30_000])
    }

    @Test func framesBeyondTheCapacityAreDropped() {
        var queue = PlaybackQueue()
        queue.append(Array(repeating: 1, count: PlaybackQueue.capacity * 4), at: 0)
        #expect(queue.count == PlaybackQueue.capacity)
        queue.append([1, 1, 1, 1], at: UInt32(PlaybackQueue.capacity))
        #expect(queue.count == PlaybackQueue.capacity)
        #expect(queue.statistics.late == 1)
    }
}
