import AirPlay
import Testing

@Suite struct StreamTimelineTests {
    private static let timeline = StreamTimeline(
        first: StreamPosition(sequence: 65_534, timestamp: .max - 500),
        start: NTPTime(rawValue: 1 << 50)
    )

    @Test func streamsThatJoinLaterSayTheSameAboutEachFrame() {
        let early = SentStream(.pcm, at: Self.timeline.first, source: 1, on: Self.timeline)
        let late = SentStream(.pcm, at: Self.timeline.position(ofPacket: 1_000), source: 2, on: Self.timeline)
        for milliseconds: Int64 in [0, 1, 999, 8_000, 3_600_000] {
            let now = Self.timeline.start.advanced(byNanoseconds: milliseconds * 1_000_000)
            #expect(early.sync(at: now, isFirst: false) == late.sync(at: now, isFirst: false))
            // Different packets mean the same line.
            let (one, other) = (
                early.sync(at: now, isFirst: false),
                late.sync(at: now.advanced(byNanoseconds: 123_456_789), isFirst: false)
            )
            let schedule = PlaybackSchedule(frame: one.playing, time: one.time, sampleRate: AudioFormat.sampleRate)
            #expect(schedule.time(of: other.playing).nanoseconds(since: other.time).magnitude <= 2)
        }
        let distance = late.nextTime.nanoseconds(since: early.nextTime)
        #expect(abs(distance - 352_000 * 1_000_000_000 / 44_100) <= 1)
    }

    @Test func packetsAreCountedFromTheStart() {
        let timeline = Self.timeline
        #expect(timeline.packet(at: timeline.start.advanced(byNanoseconds: -1_000_000_000)) == 0)
        #expect(timeline.timestamp(at: timeline.start.advanced(byNanoseconds: -1)) == timeline.first.timestamp)
        for number in [0, 1, 2, 70_000] {
            let position = timeline.position(ofPacket: number)
            let time = timeline.time(of: position.timestamp)
            // The time is rounded down to a nanosecond, which is just before the frame.
            #expect(timeline.packet(at: time.advanced(byNanoseconds: 2)) == number)
            #expect(timeline.packet(at: time.advanced(byNanoseconds: -10)) == max(0, number - 1))
        }
        #expect(timeline.position(ofPacket: 3) == StreamPosition(sequence: 1, timestamp: 555))
    }
}
