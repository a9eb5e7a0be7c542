/// The packets that a receiver has and lacks: restores their order, asks for lost ones, and gives up in time.
package struct PacketBuffer: Sendable {
    /// The maximum number of packets between the next one to deliver and the newest, about 8 s.
    package static let capacity = 1_024
    /// The time to wait for a packet that may only be out of order, in nanoseconds.
    private static let reorderTime: Int64 = 15_000_000
    /// The time between two requests for the same packet, in nanoseconds.
    private static let retryTime: Int64 = 150_000_000
    /// The maximum number of requests at a time.
    private static let requestLimit = 16
    /// The maximum number of packets in a request.
    private static let requestCountLimit = 128
    /// The number of consecutive packets after a jump that prove that the sender continues there.
    private static let jumpProof = 8

    /// The result for one packet, in the stream's order.
    package enum Delivery: Hashable, Sendable {
        /// The packet.
        case packet(AudioPacket)
        /// The packet didn't arrive in time.
        case lost
    }

    private struct Gap {
        var noticed: NTPTime
        var asked: NTPTime?
    }

    /// The numbers of packets so far.
    package private(set) var statistics = StreamStatistics()
    /// The time after which a missing packet is given up, in nanoseconds.
    package var patience: Int64 = 1_500_000_000

    /// Packets by their numbers, which don't wrap around.
    private var packets: [Int: AudioPacket] = [:]
    private var gaps: [Int: Gap] = [:]
    private var next: Int?
    private var newest = 0
    private var source: UInt32?
    /// The numbers of the packets that were given up last, for recognizing late ones.
    private var lost: Set<Int> = []
    private var jump: (next: UInt16, count: Int)?

    /// Creates an empty buffer.
    package init() {}

    /// Starts at a packet, or at whichever arrives first. What is buffered is discarded.
    package mutating func start(at sequence: UInt16?) {
        packets = [:]
        gaps = [:]
        lost = []
        jump = nil
        source = nil
        next = sequence.map { Int($0) }
        newest = (next ?? 0) - 1
    }

    /// Takes a packet that arrived.
    ///
    /// - Parameter isResent: Whether the sender sent it again.
    package mutating func insert(_ packet: AudioPacket, isResent: Bool = false, at now: NTPTime) {
        guard packet.source == source ?? packet.source else {
            statistics.foreign += 1
            return
        }
        if next == nil { (next, newest) = (Int(packet.sequence), Int(packet.sequence) - 1) }
        guard let next else { return }
        let distance = Int(Int16(bitPattern: packet.sequence &- UInt16(truncatingIfNeeded: newest)))
        let number = newest + distance
        guard number < next + Self.capacity else { return takeJump(packet, at: now) }
        jump = nil
        guard number >= next else {
            if lost.remove(number) != nil { statistics.late += 1 } else { statistics.repeated += 1 }
            return
        }
        guard packets[number] == nil else {
            statistics.repeated += 1
            return
        }
        // A late packet of an earlier stream doesn't decide which one this is.
        source = packet.source
        packets[number] = packet
        statistics.received += 1
        if gaps.removeValue(forKey: number) != nil {
            if isResent { statistics.repaired += 1 } else { statistics.reordered += 1 }
        }
        noteMissing(through: number - 1, at: now)
        newest = max(newest, number)
    }

    private mutating func noteMissing(through last: Int, at now: NTPTime) {
        guard last > newest else { return }
        for missing in newest + 1...last { gaps[missing] = Gap(noticed: now) }
    }

    /// Follows the sender to a distant packet, once several in a row prove that it continues there.
    private mutating func takeJump(_ packet: AudioPacket, at now: NTPTime) {
        let count = jump?.next == packet.sequence ? (jump?.count ?? 0) + 1 : 1
        jump = (packet.sequence &+ 1, count)
        statistics.foreign += 1
        guard count >= Self.jumpProof else { return }
        let source = packet.source
        start(at: packet.sequence)
        self.source = source
        insert(packet, at: now)
    }

    /// Removes the results that are due, in the stream's order.
    package mutating func deliver(at now: NTPTime) -> [Delivery] {
        var deliveries: [Delivery] = []
        while let next, next <= newest {
            if let packet = packets.removeValue(forKey: next) {
                deliveries.append(.packet(packet))
            } else if let gap = gaps[next], now.nanoseconds(since: gap.noticed) >= patience {
                giveUp(next)
                deliveries.append(.lost)
            } else {
                break
            }
            self.next = next + 1
        }
        return deliveries
    }

    /// Removes all results, because the stream has ended.
    package mutating func finish() -> [Delivery] {
        guard let next, next <= newest else { return [] }
        let deliveries = (next...newest).map { number in
            packets[number].map { Delivery.packet($0) } ?? .lost
        }
        statistics.lost += gaps.count
        start(at: nil)
        return deliveries
    }

    private mutating func giveUp(_ number: Int) {
        gaps[number] = nil
        statistics.lost += 1
        lost.insert(number)
        if lost.count > Self.capacity { lost = lost.filter { $0 > number - Self.capacity } }
    }

    /// Whether packets are missing.
    package var hasGaps: Bool { !gaps.isEmpty }

    /// Returns the requests to send for missing packets.
    package mutating func resendRequests(at now: NTPTime) -> [ResendRequest] {
        let due = gaps.filter { _, gap in
            if let asked = gap.asked {
                now.nanoseconds(since: asked) >= Self.retryTime
            } else {
                now.nanoseconds(since: gap.noticed) >= Self.reorderTime
            }
        }
        var requests: [ResendRequest] = []
        for number in due.keys.sorted() {
            let sequence = UInt16(truncatingIfNeeded: number)
            if let last = requests.last, last.first &+ last.count == sequence, last.count < Self.requestCountLimit {
                requests[requests.count - 1].count += 1
            } else if requests.count < Self.requestLimit {
                requests.append(ResendRequest(first: sequence, count: 1))
            } else {
                break
            }
            gaps[number]?.asked = now
        }
        return requests
    }
}
