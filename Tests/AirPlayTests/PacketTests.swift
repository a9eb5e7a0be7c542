import AirPlay
import Testing

@Suite struct PacketTests {
    private static let time = NTPTime(rawValue: 0x83AA_7E80_8000_0000)

    @Test func packetsHaveTheBytesOfTheProtocol() {
        let audio = AudioPacket(isFirst: true, sequence: 258, timestamp: 1, source: 2, payload: [9])
        #expect(audio.bytes == [0x80, 0xE0, 1, 2, 0, 0, 0, 1, 0, 0, 0, 2, 9])
        let sync = SyncPacket(isFirst: true, playing: 1, time: Self.time, sending: 88_201)
        let time: [UInt8] = [0x83, 0xAA, 0x7E, 0x80, 0x80, 0, 0, 0]
        #expect(ControlPacket.sync(sync).bytes == [0x90, 0xD4, 0, 7, 0, 0, 0, 1] + time + [0, 1, 0x58, 0x89])
        #expect(sync.latency == 88_200)
        let request = ResendRequest(first: 258, count: 3)
        #expect(ControlPacket.resendRequest(request).bytes == [0x80, 0xD5, 0, 1, 1, 2, 0, 3])
        #expect(ControlPacket.resent(audio).bytes == [0x80, 0xD6, 1, 2] + audio.bytes)
        #expect(TimingPacket.request(at: Self.time).bytes.count == 32)
    }

    @Test func packetsAreReadAsTheyAreWritten() {
        let audio = AudioPacket(sequence: 7, timestamp: 8, source: 9, payload: Array(0...100))
        #expect(AudioPacket(audio.bytes) == audio)
        for packet in [
            ControlPacket.sync(SyncPacket(isFirst: false, playing: 5, time: Self.time, sending: 9)),
            .resendRequest(ResendRequest(first: .max, count: 1)), .resent(audio),
        ] {
            #expect(ControlPacket(packet.bytes) == packet)
            #expect(ControlPacket(packet.bytes.dropLast(packet.bytes.count - 7)) == nil)
        }
        let reply = TimingPacket.request(at: Self.time).reply(received: Self.time, sent: Self.time)
        #expect(TimingPacket(reply.bytes) == reply)
        #expect(TimingPacket(reply.bytes.dropLast()) == nil)
        #expect(AudioPacket(audio.bytes.prefix(11)) == nil)
        #expect(AudioPacket(reply.bytes) == nil)
    }

    @Test func timesAreAddedAndSubtracted() {
        for nanoseconds: Int64 in [0, 1_500_000_000, -1_500_000_000, 86_400_000_000_000] {
            let later = Self.time.advanced(byNanoseconds: nanoseconds)
            #expect((later.nanoseconds(since: Self.time) - nanoseconds).magnitude <= 1)
        }
    }

    @Test func theSendersClockIsThatOfTheQuickestReply() {
        var clock = SenderClock()
        let hour: Int64 = 3_600_000_000_000
        #expect(clock.local(Self.time) == nil)
        // The sender's clock is an hour ahead; on the second request, the way there takes 80 ms longer.
        for delay: Int64 in [1_000_000, 81_000_000, 2_000_000] {
            let request = clock.request(at: Self.time)
            let there = Self.time.advanced(byNanoseconds: hour + delay)
            let reply = request.reply(received: there, sent: there)
            clock.receive(reply, at: Self.time.advanced(byNanoseconds: delay + 1_000_000))
            // A repetition doesn't count.
            clock.receive(reply, at: Self.time.advanced(byNanoseconds: 900_000_000))
        }
        #expect(clock.isSettled)
        #expect(((clock.offset ?? 0) - hour).magnitude < 1_000)
    }

    @Test func framesHaveTimes() {
        let schedule = PlaybackSchedule(frame: .max - 44_099, time: Self.time, sampleRate: 44_100)
        #expect(schedule.time(of: 0).nanoseconds(since: Self.time) == 1_000_000_000)
        #expect(schedule.frame(at: Self.time.advanced(byNanoseconds: 1_000_100_000)) == 4)
        #expect(schedule.frame(at: Self.time.advanced(byNanoseconds: -1_000_000_000)) == UInt32.max - 88_199)
    }

    @Test func aReceiversDescriptionIsReadAsItIsPublished() {
        var record = ReceiverRecord(deviceID: "0011223344FF", name: "Kitchen@Home")
        record.needsPassword = true
        record.model = "Hearth"
        let txt = Dictionary(uniqueKeysWithValues: record.txt.map { ($0.key, $0.value) })
        #expect(ReceiverRecord(instanceName: record.instanceName) { txt[$0] } == record)
        #expect(ReceiverRecord(instanceName: "Kitchen") { txt[$0] } == nil)
        #expect(ReceiverRecord(instanceName: "0011223344@Kitchen") { txt[$0] } == nil)
    }
}
