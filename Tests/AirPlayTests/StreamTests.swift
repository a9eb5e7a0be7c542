import AirPlay
import AppleLossless
import Testing

/// A sender and a receiver in memory, with a network in between that loses and swaps packets.
@Suite struct StreamTests {
    private static let start = NTPTime(rawValue: 1 << 50)

    private static func formats() throws -> [(AudioFormat, Bool)] {
        let lossless = AudioFormat.appleLossless(try AppleLosslessConfiguration())
        return [(.pcm, false), (lossless, false), (lossless, true)]
    }

    /// Samples like music with a bit of noise.
    private static func samples(_ count: Int) -> [Int16] {
        (0..<count * 2).map { index in
            let phase = index / 2 % 200
            return Int16(phase < 100 ? phase * 200 : (200 - phase) * 200) &- Int16(index * 7_919 % 61)
        }
    }

    private static func bytes(_ samples: [Int16]) -> [UInt8] {
        samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    @Test func everyFrameArrivesInOrderDespiteLossAndDisorder() throws {
        let samples = Self.samples(352 * 200)
        for (format, isCompressing) in try Self.formats() {
            let first = StreamPosition(sequence: 65_500, timestamp: .max - 1_000)
            var sent = SentStream(format, isCompressing: isCompressing, at: first, source: 5, start: Self.start)
            var received = ReceivedStream(format: format)
            received.start(at: first)
            var result: [UInt8] = []
            var held: AudioPacket?
            var losses = 0
            for (index, offset) in stride(from: 0, to: samples.count, by: 704).enumerated() {
                let now = sent.nextTime
                let packet = try #require(AudioPacket(sent.packet(Array(samples[offset..<offset + 704]))))
                // The first packet, and every thirtieth, is lost; every thirteenth arrives after its successor.
                if index % 30 == 0 {
                    losses += 1
                } else if index % 13 == 1 {
                    held = packet
                } else {
                    received.receive(packet, at: now)
                    if let late = held.take() { received.receive(late, at: now) }
                }
                for request in received.resendRequests(at: now) {
                    for datagram in sent.resend(request, at: now) {
                        received.receive(try #require(ControlPacket(datagram)), at: now)
                    }
                }
                result += received.samples(at: now)
            }
            result += received.finish()
            #expect(result.elementsEqual(Self.bytes(samples)))
            #expect(received.statistics.repaired == losses)
            #expect(received.statistics.reordered > 0)
            #expect(received.statistics.lost == 0)
        }
    }

    @Test func streamsThatShareAnEncoderSendWhatEachWasGiven() throws {
        let format = AudioFormat.appleLossless(try AppleLosslessConfiguration())
        let encoder = try #require(SharedEncoder(format, isCompressing: true))
        #expect(SharedEncoder(.pcm, isCompressing: true) == nil)
        let first = StreamPosition(sequence: 65_535, timestamp: .max - 352)
        let timeline = StreamTimeline(first: first, start: Self.start)
        var streams = (0..<3).map { SentStream(format, at: first, source: $0, on: timeline, encoder: encoder) }
        let samples = Self.samples(352 * 600)
        // The third stream is behind, and sends silence where the others send samples.
        let silence = [Int16](repeating: 0, count: 704)
        var received = streams.map { _ in ReceivedStream(format: format) }
        var results = streams.map { _ in [UInt8]() }
        for index in received.indices { received[index].start(at: first) }
        for offset in stride(from: 0, to: samples.count, by: 704) {
            for index in streams.indices {
                let now = streams[index].nextTime
                let content = index == 2 ? silence : Array(samples[offset..<offset + 704])
                let packet = try #require(AudioPacket(streams[index].packet(content)))
                received[index].receive(packet, at: now)
                results[index] += received[index].samples(at: now)
            }
        }
        for index in received.indices { results[index] += received[index].finish() }
        #expect(results[0].elementsEqual(Self.bytes(samples)))
        #expect(results[1].elementsEqual(Self.bytes(samples)))
        #expect(results[2].count == results[0].count && results[2].allSatisfy { $0 == 0 })
        #expect(encoder.encodedCount == 1_200)
    }

    @Test func aMalformedPacketBecomesSilence() throws {
        let format = AudioFormat.appleLossless(try AppleLosslessConfiguration())
        var received = ReceivedStream(format: format)
        received.start(at: nil)
        received.receive(AudioPacket(sequence: 0, timestamp: 0, source: 1, payload: [1, 2, 3]), at: Self.start)
        #expect(received.samples(at: Self.start) == Array(repeating: 0, count: 1_408))
        #expect(received.statistics.malformed == 1)
    }

    @Test func packetsAreDueOneAfterTheOther() {
        let position = StreamPosition(sequence: 0, timestamp: 1_000)
        var sent = SentStream(.pcm, at: position, source: 1, latency: 44_100, start: Self.start)
        #expect(sent.nextTime == Self.start)
        for _ in 0..<125 { _ = sent.packet(Array(repeating: 0, count: 704)) }
        #expect(abs(sent.nextTime.nanoseconds(since: Self.start) - 997_732_426) <= 1)
        #expect(abs(sent.endTime(from: Self.start).nanoseconds(since: Self.start) - 1_997_732_426) <= 1)
        let late = Self.start.advanced(byNanoseconds: 5_000_000_000)
        #expect(sent.endTime(from: late).nanoseconds(since: late) == 1_000_000_000)
        let sync = sent.sync(at: Self.start.advanced(byNanoseconds: 500_000_000), isFirst: false)
        #expect(sync.latency == 44_100)
        #expect(abs(Int(sync.sending) - 23_050) <= 1)
    }

    @Test func theLastPacketsAreRepeated() {
        let position = StreamPosition(sequence: 65_530, timestamp: 0)
        var sent = SentStream(.pcm, at: position, source: 1, start: Self.start)
        #expect(sent.tail.isEmpty)
        let packets = (0..<10).map { sent.packet([$0, 0]) }
        #expect(sent.tail == Array(packets.suffix(8)))
    }

    @Test func aStormOfRequestsIsAnsweredInPart() {
        let position = StreamPosition(sequence: 0, timestamp: 0)
        var sent = SentStream(.pcm, at: position, source: 1, start: Self.start)
        #expect(sent.resend(ResendRequest(first: 0, count: .max), at: Self.start) == [])
        for _ in 0..<500 { _ = sent.packet([1, 2]) }
        let storm = (0..<10).map { _ in sent.resend(ResendRequest(first: 0, count: .max), at: Self.start).count }
        #expect(storm == [375] + Array(repeating: 0, count: 9))
        let later = Self.start.advanced(byNanoseconds: 1_000_000_000)
        #expect(sent.resend(ResendRequest(first: 499, count: 5), at: later).count == 1)
        #expect(sent.resend(ResendRequest(first: 500, count: 5), at: later).isEmpty)
    }

    @Test func theTimeToWaitForAPacketFollowsTheSchedule() throws {
        let position = StreamPosition(sequence: 0, timestamp: 0)
        var sent = SentStream(.pcm, at: position, source: 1, latency: 22_050, start: Self.start)
        var received = ReceivedStream(format: .pcm)
        received.start(at: position)
        let request = received.timingRequest(at: Self.start)
        received.receive(request.reply(received: Self.start, sent: Self.start), at: Self.start)
        let packets = (0..<3).compactMap { _ in AudioPacket(sent.packet(Array(repeating: 1, count: 704))) }
        received.receive(packets[0], at: Self.start)
        received.receive(.sync(sent.sync(at: Self.start, isFirst: true)), at: Self.start)
        received.receive(packets[2], at: Self.start)
        #expect(received.samples(at: Self.start.advanced(byNanoseconds: 390_000_000)).count == 1_408)
        #expect(received.samples(at: Self.start.advanced(byNanoseconds: 420_000_000)).count == 2_816)
        #expect(received.statistics.lost == 1)
    }
}
