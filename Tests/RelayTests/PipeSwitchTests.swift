import Foundation
import HomeIdentity
import RelayAPI
import Testing

@testable import Relay
@testable import RelayClient

/// What a relay passes on between the ends of pipes, as values.
struct PipeSwitchTests {
    private static let (feed, other) = (FeedID.random(), FeedID.random())
    private let key = IdentityKey().publicKey
    private let hub = PipeSwitch.Member(stream: UUID())
    private let phone = PipeSwitch.Member(stream: UUID(), origin: .feed(feed))
    private let tablet = PipeSwitch.Member(stream: UUID(), origin: .feed(other))

    /// A switch whose hub is there, with an open pipe 1 of the phone's.
    private func opened(limit: Int = 4) throws -> PipeSwitch {
        var pipes = PipeSwitch(limit: limit)
        _ = pipes.addHub(hub.stream, of: key)
        #expect(try pipes.receive(.open(1), from: phone) == [.send(.open(1, of: .feed(Self.feed)), to: hub.stream)])
        return pipes
    }

    private static func data(_ pipe: UInt32, _ count: Int) -> LiveFrame {
        LiveFrame(.data, pipe: pipe, payload: Data(repeating: 7, count: count))
    }

    private static func isMalformed(_ body: () throws(RelayError) -> [PipeSwitch.Action]) -> Bool {
        do throws(RelayError) {
            _ = try body()
            return false
        } catch {
            return error.code == .malformed
        }
    }

    @Test func bytesGoToTheOtherEndUnderItsOwnNumber() throws {
        var pipes = try opened()
        #expect(try pipes.receive(.open(1), from: tablet) == [.send(.open(2, of: .feed(Self.other)), to: hub.stream)])
        #expect(try pipes.receive(Self.data(1, 3), from: tablet) == [.send(Self.data(2, 3), to: hub.stream)])
        #expect(try pipes.receive(Self.data(1, 4), from: phone) == [.send(Self.data(1, 4), to: hub.stream)])
        let accept = LiveFrame(.accept, pipe: 2)
        #expect(try pipes.receive(accept, from: hub) == [.send(LiveFrame(.accept, pipe: 1), to: tablet.stream)])
        #expect(try pipes.receive(accept, from: hub) == [])
        #expect(try pipes.receive(Self.data(2, 5), from: hub) == [.send(Self.data(1, 5), to: tablet.stream)])
        #expect(try pipes.receive(.credit(2, 3), from: hub) == [.send(.credit(1, 3), to: tablet.stream)])
        #expect(
            try pipes.receive(.close(1, because: .closed), from: phone)
                == [.send(.close(1, because: .closed), to: hub.stream)]
        )
        // The hub doesn't know yet that it has ended.
        #expect(try pipes.receive(Self.data(1, 5), from: hub) == [])
        #expect(pipes.count == 1)
    }

    @Test func nobodyReachesAPipeOfAnother() throws {
        var pipes = try opened()
        // The tablet has no pipe 1, and the phone's is not its own.
        #expect(Self.isMalformed { () throws(RelayError) in try pipes.receive(Self.data(1, 1), from: tablet) })
        let stranger = PipeSwitch.Member(stream: UUID(), origin: .feed(Self.feed))
        #expect(Self.isMalformed { () throws(RelayError) in try pipes.receive(Self.data(1, 1), from: stranger) })
        #expect(Self.isMalformed { () throws(RelayError) in try pipes.receive(.credit(9, 1), from: phone) })
        #expect(Self.isMalformed { () throws(RelayError) in try pipes.receive(.open(5), from: hub) })
        let accept = LiveFrame(.accept, pipe: 1)
        #expect(Self.isMalformed { () throws(RelayError) in try pipes.receive(accept, from: phone) })
        // Numbers only grow.
        #expect(Self.isMalformed { () throws(RelayError) in try pipes.receive(.open(1), from: phone) })
        #expect(Self.isMalformed { () throws(RelayError) in try pipes.receive(.open(0), from: phone) })
        #expect(pipes.count == 1)
    }

    @Test func anEndSendsAsMuchAsTheOtherHasRoomFor() throws {
        var pipes = try opened()
        let frames = RelayLimits.pipeCredit / LiveFrame.payloadBytes
        for _ in 0..<frames { _ = try pipes.receive(Self.data(1, LiveFrame.payloadBytes), from: phone) }
        #expect(Self.isMalformed { () throws(RelayError) in try pipes.receive(Self.data(1, 1), from: phone) })
        _ = try pipes.receive(.credit(1, 2), from: hub)
        _ = try pipes.receive(Self.data(1, 2), from: phone)
        #expect(Self.isMalformed { () throws(RelayError) in try pipes.receive(Self.data(1, 1), from: phone) })
        // Nor can the other give more than was used.
        let all = LiveFrame.credit(1, RelayLimits.pipeCredit)
        _ = try pipes.receive(all, from: hub)
        #expect(Self.isMalformed { () throws(RelayError) in try pipes.receive(.credit(1, 1), from: hub) })
        #expect(Self.isMalformed { () throws(RelayError) in try pipes.receive(.credit(1, 0), from: phone) })
        let short = LiveFrame(.credit, pipe: 1, payload: Data([1]))
        #expect(Self.isMalformed { () throws(RelayError) in try pipes.receive(short, from: phone) })
    }

    @Test func pipesAreRefusedWithTheReason() throws {
        var pipes = PipeSwitch(limit: 2)
        func refusal(_ number: UInt32, _ end: PipeEnd) -> [PipeSwitch.Action] {
            [.send(.close(number, because: end), to: phone.stream)]
        }
        #expect(try pipes.receive(.open(1), from: phone) == refusal(1, .noHub))
        _ = pipes.addHub(hub.stream, of: key)
        var banned = phone
        banned.mayOpen = false
        #expect(try pipes.receive(.open(2), from: banned) == refusal(2, .noRight))
        #expect(try pipes.receive(.open(3), from: phone, mayBegin: { false }) == refusal(3, .tooMany))
        for number in 4...5 as ClosedRange<UInt32> {
            #expect(try pipes.receive(.open(number), from: phone).contains { $0 != refusal(number, .tooMany)[0] })
        }
        #expect(try pipes.receive(.open(6), from: phone) == refusal(6, .tooMany))
        #expect(try pipes.receive(.open(7), from: phone, isSpent: true) == refusal(7, .quota))
        // Another person's are counted apart.
        #expect(try pipes.receive(.open(1), from: tablet) == [.send(.open(3, of: .feed(Self.other)), to: hub.stream)])
        #expect(pipes.count == 3)
    }

    @Test func theEndOfAStreamEndsItsPipesAtTheOtherEnds() throws {
        var pipes = try opened()
        _ = try pipes.receive(.open(1), from: tablet)
        #expect(pipes.remove(phone.stream) == [.send(.close(1, because: .lost), to: hub.stream)])
        #expect(pipes.endPipes(of: tablet.stream, because: .noRight).count == 2)
        #expect(pipes.count == 0)
        // A hub that comes back has lost what was.
        _ = try pipes.receive(.open(2), from: tablet)
        let next = UUID()
        let ends = pipes.addHub(next, of: key)
        #expect(ends.contains(.send(.close(2, because: .lost), to: tablet.stream)))
        #expect(try pipes.receive(.open(3), from: tablet) == [.send(.open(1, of: .feed(Self.other)), to: next)])
        // The late end of the former stream changes nothing.
        #expect(pipes.remove(hub.stream) == [] && pipes.count == 1)
        #expect(pipes.remove(next) == [.send(.close(3, because: .lost), to: tablet.stream)])
        #expect(try pipes.receive(.open(4), from: tablet) == [.send(.close(4, because: .noHub), to: tablet.stream)])
    }

    @Test func ofTwoHubsTheOneThatCameLastGetsNewPipesAndTheOtherOneOnceItIsGone() throws {
        var pipes = try opened()
        let second = PipeSwitch.Member(stream: UUID())
        // The pipes of the first hub stay.
        #expect(pipes.addHub(second.stream, of: IdentityKey().publicKey) == [])
        #expect(try pipes.receive(Self.data(1, 3), from: phone) == [.send(Self.data(1, 3), to: hub.stream)])
        #expect(
            try pipes.receive(.open(1), from: tablet) == [.send(.open(1, of: .feed(Self.other)), to: second.stream)]
        )
        #expect(pipes.remove(second.stream) == [.send(.close(1, because: .lost), to: tablet.stream)])
        #expect(try pipes.receive(.open(2), from: tablet) == [.send(.open(2, of: .feed(Self.other)), to: hub.stream)])
        #expect(pipes.count == 2)
        _ = pipes.remove(hub.stream)
        #expect(try pipes.receive(.open(3), from: tablet) == [.send(.close(3, because: .noHub), to: tablet.stream)])
    }

    @Test func aHubThatLetsAPipeWaitInVainIsRungAfterTheOther() throws {
        for isLost in [false, true] {
            var pipes = PipeSwitch(limit: 4)
            let second = PipeSwitch.Member(stream: UUID())
            _ = pipes.addHub(hub.stream, of: key)
            _ = pipes.addHub(second.stream, of: IdentityKey().publicKey)
            func open(_ number: UInt32, at hub: PipeSwitch.Member, _ hubs: UInt32 = 1) throws {
                let ring = PipeSwitch.Action.send(.open(hubs, of: .feed(Self.other)), to: hub.stream)
                #expect(try pipes.receive(.open(number), from: tablet) == [ring])
            }
            try open(1, at: second)
            // The device gives up on the pipe, or on its stream.
            if isLost {
                _ = pipes.remove(tablet.stream)
            } else {
                _ = try pipes.receive(.close(1, because: .closed), from: tablet)
            }
            try open(2, at: hub)
            // An accepted pipe that ends says nothing about the hub.
            _ = try pipes.receive(LiveFrame(.accept, pipe: 1), from: hub)
            _ = try pipes.receive(.close(2, because: .closed), from: tablet)
            try open(3, at: hub, 2)
        }
    }

    @Test func aDoorLeadsToTheHubThatHasItOpen() throws {
        var pipes = PipeSwitch(limit: 4)
        let (door, second) = (IdentityKey().publicKey, PipeSwitch.Member(stream: UUID()))
        let visitor = PipeSwitch.Member(stream: UUID(), origin: .door(door))
        _ = pipes.addHub(hub.stream, of: key)
        _ = try pipes.receive(.doors([LiveDoor(door, seconds: 60)]), from: hub)
        _ = pipes.addHub(second.stream, of: IdentityKey().publicKey)
        #expect(try pipes.receive(.doors([]), from: second) == [])
        #expect(try pipes.receive(.open(1), from: visitor) == [.send(.open(1, of: .door(door)), to: hub.stream)])
        _ = pipes.remove(hub.stream)
        #expect(!pipes.isDoor(door, at: 0))
    }

    @Test func aDoorLeadsToTheHubAsLongAsTheHubSays() throws {
        var pipes = try opened()
        let (door, now) = (IdentityKey().publicKey, Int64(1_000_000))
        let visitor = PipeSwitch.Member(stream: UUID(), origin: .door(door))
        func refused(_ number: UInt32) -> [PipeSwitch.Action] {
            [.send(.close(number, because: .noRight), to: visitor.stream)]
        }
        #expect(try pipes.receive(.open(1), from: visitor, at: now) == refused(1))
        #expect(try pipes.receive(.doors([LiveDoor(door, seconds: 60)]), from: hub, at: now) == [])
        #expect(pipes.isDoor(door, at: now + 59_999) && !pipes.isDoor(door, at: now + 60_000))
        #expect(
            try pipes.receive(.open(2), from: visitor, at: now) == [.send(.open(2, of: .door(door)), to: hub.stream)]
        )
        #expect(try pipes.receive(Self.data(2, 3), from: visitor) == [.send(Self.data(2, 3), to: hub.stream)])
        #expect(try pipes.receive(.open(3), from: visitor, at: now + 60_000) == refused(3))
        // The hub closes it: the pipe ends at both ends.
        let ends = try pipes.receive(.doors([]), from: hub, at: now)
        #expect(
            ends == [
                .send(.close(2, because: .noRight), to: visitor.stream),
                .send(.close(2, because: .noRight), to: hub.stream),
            ]
        )
        #expect(pipes.count == 1 && !pipes.isDoor(door, at: now))
        // It lasts for a week at most, and no longer than the hub's stream.
        _ = try pipes.receive(.doors([LiveDoor(door, seconds: .max)]), from: hub, at: now)
        let week = now + 1_000 * Int64(RelayLimits.doorSeconds)
        #expect(pipes.isDoor(door, at: week - 1) && !pipes.isDoor(door, at: week))
        _ = pipes.addHub(UUID(), of: key)
        #expect(!pipes.isDoor(door, at: now))
        // What the replaced stream still says has no effect.
        #expect(try pipes.receive(.doors([LiveDoor(door, seconds: 60)]), from: hub, at: now) == [])
        #expect(!pipes.isDoor(door, at: now))
    }

    @Test func aHubHasAsManyDoorsAsAllowedAndADoorAsManyPipes() throws {
        var pipes = try opened()
        var doors = (0..<RelayLimits.doorsPerHouse).map { _ in LiveDoor(IdentityKey().publicKey, seconds: 60) }
        let frame = LiveFrame.doors(doors)
        #expect(frame.doors == doors)
        _ = try pipes.receive(frame, from: hub)
        #expect(doors.allSatisfy { pipes.isDoor($0.key, at: 0) })
        // A device has no doors, also if it says so.
        #expect(Self.isMalformed { () throws(RelayError) in try pipes.receive(frame, from: phone) })
        doors.append(LiveDoor(IdentityKey().publicKey, seconds: 60))
        #expect(Self.isMalformed { () throws(RelayError) in try pipes.receive(.doors(doors), from: hub) })
        let cut = LiveFrame(.doors, payload: frame.payload.dropLast())
        #expect(Self.isMalformed { () throws(RelayError) in try pipes.receive(cut, from: hub) })
        let visitor = PipeSwitch.Member(stream: UUID(), origin: .door(doors[0].key))
        let full = UInt32(RelayLimits.pipesPerDoor)
        for number in 1...full { _ = try pipes.receive(.open(number), from: visitor) }
        #expect(pipes.count == 1 + RelayLimits.pipesPerDoor)
        #expect(
            try pipes.receive(.open(full + 1), from: visitor)
                == [.send(.close(full + 1, because: .tooMany), to: visitor.stream)]
        )
        let next = PipeSwitch.Member(stream: UUID(), origin: .door(doors[1].key))
        #expect(
            try pipes.receive(.open(1), from: next).contains(
                .send(.open(full + 2, of: .door(doors[1].key)), to: hub.stream)
            )
        )
    }

    @Test func requestsTakeEffectInTheirOrder() throws {
        var order = FrameOrder()
        let bodies = (0...9).map { Data([UInt8($0)]) }
        #expect(try order.receive(2, bodies[2]) == [] && order.gap == 1)
        #expect(try order.receive(4, bodies[4]) == [])
        #expect(try order.receive(1, bodies[1]) == [bodies[1], bodies[2]] && order.gap == 3)
        // What was sent again has no effect.
        for number in [1, 2, 4] as [Int64] { #expect(try order.receive(number, bodies[9]) == []) }
        #expect(try order.receive(3, bodies[3]) == [bodies[3], bodies[4]] && order.gap == nil)
        #expect(try order.receive(8, bodies[8]) == [])
        #expect(throws: RelayError.self) { _ = try order.receive(9, bodies[9]) }
        #expect(throws: RelayError.self) { _ = try order.receive(.max, bodies[9]) }
        #expect(try order.receive(-1, bodies[9]) == [])
    }

    @Test func aClientEndsAStreamWhoseRelayExceedsItsCredit() throws {
        var table = PipeTable()
        let (number, frame) = table.open()
        #expect(frame == .open(number) && table.credit(of: number) == RelayLimits.pipeCredit)
        let sent = table.send(Data(count: LiveFrame.payloadBytes + 1), on: number)
        #expect(sent.map(\.payload.count) == [LiveFrame.payloadBytes, 1])
        // Whole frames of a full window come; nothing more until some were taken.
        let full = Self.data(number, LiveFrame.payloadBytes)
        for _ in 0..<RelayLimits.pipeCredit / LiveFrame.payloadBytes {
            #expect(try table.receive(full) == .data(number, full.payload))
        }
        var cheated = table
        #expect(throws: RelayError.self) { _ = try cheated.receive(Self.data(number, 1)) }
        var credits = 0
        for _ in 0..<RelayLimits.pipeCredit / LiveFrame.payloadBytes {
            credits += table.take(LiveFrame.payloadBytes, on: number)?.creditCount ?? 0
        }
        #expect(credits == RelayLimits.pipeCredit)
        #expect(try table.receive(full) == .data(number, full.payload))
        #expect(throws: RelayError.self) { _ = try table.receive(.credit(number, RelayLimits.pipeCredit)) }
        #expect(try table.receive(.close(number, because: .lost)) == .closed(number, .lost))
        #expect(try table.receive(full) == nil && table.close(number) == nil)
        #expect(throws: RelayError.self) { _ = try table.receive(.open(number, of: .feed(Self.feed))) }
        #expect(try table.receive(.open(9, of: .feed(Self.feed))) == .opened(9, .feed(Self.feed)))
    }

    @Test func frameWaitsInRequestsOfALimitedSize() throws {
        var uplink = FrameUplink()
        let frame = LiveFrame(.data, pipe: 1, payload: Data(count: LiveFrame.payloadBytes))
        for _ in 0..<50 { uplink.add(frame) }
        var requests: [(order: Int64, body: Data)] = []
        while let request = uplink.next() { requests.append(request) }
        #expect(requests.map(\.order) == [1, 2, 3, 4])
        #expect(requests.allSatisfy { $0.body.count == RelayLimits.frameRequestBytes })
        // The relay may not have got the first one yet, so it would not take a fifth.
        uplink.answered(2)
        var next = [uplink.next()?.order]
        #expect(next == [nil])
        uplink.answered(1)
        next = [uplink.next()?.order, uplink.next()?.order, uplink.next()?.order]
        #expect(next == [5, 6, nil])
        #expect(uplink.waitingBytes == 2 * frame.encoded.count)
    }
}
