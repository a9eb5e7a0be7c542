import AirPlay
import Testing

@Suite struct PacketBufferTests {
    private var buffer = PacketBuffer()
    private let start = NTPTime(rawValue: 1 << 40)

    private func packet(_ sequence: UInt16, source: UInt32 = 1) -> AudioPacket {
        AudioPacket(sequence: sequence, timestamp: UInt32(sequence) * 352, source: source, payload: [])
    }

    private func time(_ milliseconds: Int64) -> NTPTime { start.advanced(byNanoseconds: milliseconds * 1_000_000) }

    private mutating func insert(_ sequences: [UInt16], isResent: Bool = false, at milliseconds: Int64 = 0) {
        for sequence in sequences { buffer.insert(packet(sequence), isResent: isResent, at: time(milliseconds)) }
    }

    private mutating func delivered(at milliseconds: Int64 = 0) -> [UInt16?] {
        buffer.deliver(at: time(milliseconds)).map { if case .packet(let packet) = $0 { packet.sequence } else { nil } }
    }

    @Test mutating func orderIsRestoredAlsoWhereNumbersWrapAround() {
        buffer.start(at: 65_534)
        insert([65_535, 65_534, 1, 0])
        #expect(delivered() == [65_534, 65_535, 0, 1])
        #expect(buffer.statistics.reordered == 2)
        #expect(!buffer.hasGaps)
    }

    @Test mutating func missingPacketsAreRequestedAndRepaired() {
        buffer.start(at: 10)
        insert([11, 12, 15])
        #expect(delivered() == [])
        #expect(buffer.resendRequests(at: time(0)) == [], "it may only be out of order")
        let expected = [ResendRequest(first: 10, count: 1), ResendRequest(first: 13, count: 2)]
        #expect(buffer.resendRequests(at: time(20)) == expected)
        #expect(buffer.resendRequests(at: time(40)) == [])
        insert([10, 14], isResent: true, at: 50)
        #expect(delivered(at: 50) == [10, 11, 12])
        #expect(buffer.resendRequests(at: time(180)) == [ResendRequest(first: 13, count: 1)])
        insert([13], isResent: true, at: 200)
        #expect(delivered(at: 200) == [13, 14, 15])
        #expect(buffer.statistics.repaired == 3)
        #expect(buffer.statistics.lost == 0)
    }

    @Test mutating func aPacketThatDoesNotArriveInTimeIsLostAndCountedIfItArrivesLate() {
        buffer.start(at: 0)
        insert([0, 2])
        #expect(delivered(at: 1_499) == [0])
        #expect(delivered(at: 1_500) == [nil, 2])
        insert([1, 1, 2], at: 1_600)
        #expect(delivered(at: 1_600) == [])
        #expect(buffer.statistics.lost == 1)
        #expect(buffer.statistics.late == 1)
        #expect(buffer.statistics.repeated == 2)
    }

    @Test mutating func packetsOfAnotherStreamAreCountedAndIgnored() {
        buffer.start(at: 0)
        insert([0])
        buffer.insert(packet(1, source: 2), at: time(0))
        insert([1])
        #expect(delivered() == [0, 1])
        #expect(buffer.statistics.foreign == 1)
    }

    @Test mutating func aLatePacketOfAnEarlierStreamKeepsNoneOut() {
        buffer.start(at: 1_000)
        for stale: UInt16 in [990, 5_000] { buffer.insert(packet(stale, source: 2), at: time(0)) }
        insert([1_000, 1_001])
        #expect(delivered() == [1_000, 1_001])
    }

    @Test mutating func aDistantPacketIsIgnoredUnlessTheSenderContinuesThere() {
        buffer.start(at: 0)
        insert([0, UInt16(PacketBuffer.capacity) + 1, 1])
        #expect(delivered() == [0, 1])
        #expect(buffer.statistics.foreign == 1)
        insert(Array(20_000..<20_010))
        #expect(delivered() == [20_007, 20_008, 20_009])
    }

    @Test mutating func whatIsBufferedIsLimited() {
        buffer.start(at: 0)
        // Every second packet is missing, also the first.
        insert(stride(from: 1, to: UInt16(PacketBuffer.capacity) + 100, by: 2).map { $0 })
        #expect(buffer.statistics.received == PacketBuffer.capacity / 2)
        #expect(buffer.resendRequests(at: time(100)).count == 16)
    }

    @Test mutating func aFlushDiscardsWhatWasBefore() {
        buffer.start(at: 0)
        insert([0, 2, 3])
        #expect(delivered() == [0])
        buffer.start(at: 100)
        insert([3, 101, 100])
        #expect(delivered() == [100, 101])
        #expect(!buffer.hasGaps)
    }

    @Test mutating func theEndDeliversWhatIsLeft() {
        buffer.start(at: nil)
        insert([5, 7])
        #expect(delivered() == [5])
        #expect(buffer.finish() == [.lost, .packet(packet(7))])
        #expect(buffer.finish() == [])
    }
}
