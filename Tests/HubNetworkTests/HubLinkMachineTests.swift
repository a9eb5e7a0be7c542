import Foundation
import Testing

@testable import HubNetwork

/// The connection between hubs, as a value.
@Suite struct HubLinkMachineTests {
    private static let big = frame([UInt8](repeating: 1, count: HubLinkLimits.contentBytes))
    private static let small = frame([1, 2, 3])

    private static func frame(_ content: [UInt8]) -> HubFrame {
        guard let frame = HubFrame(.vote, content) else { preconditionFailure("the content is short enough") }
        return frame
    }

    private static func open(connects: Bool = true) throws -> HubLinkMachine {
        var machine = HubLinkMachine(connects: connects)
        let actions = machine.start(at: .zero)
        if connects {
            #expect(actions == [.connect(1, attempt: 0)])
            #expect(machine.opened(1, at: .seconds(1)) == [])
            #expect(!machine.isConnected)
            #expect(machine.received(.ping, on: 1, at: .seconds(1)) == [.tell(isConnected: true), .write(.ping, 1)])
        } else {
            #expect(actions.isEmpty)
            let (connection, actions) = machine.accept(at: .seconds(1))
            #expect(connection == 1)
            #expect(actions == [.tell(isConnected: true), .write(.ping, 1)])
        }
        try #require(machine.isConnected)
        _ = machine.sent(.ping, on: 1)
        return machine
    }

    @Test func oneHubConnectsAndTheOtherWaits() throws {
        _ = try Self.open(connects: true)
        _ = try Self.open(connects: false)
        var machine = HubLinkMachine(connects: true)
        _ = machine.start(at: .zero)
        #expect(machine.start(at: .zero) == [])
        #expect(machine.accept(at: .zero) == (nil, []))
    }

    @Test func pausesBetweenAttemptsGrowUpToALimit() {
        var machine = HubLinkMachine(connects: true)
        _ = machine.start(at: .zero)
        var now = Duration.zero
        var pauses: [Duration] = []
        for number in 1...12 {
            #expect(machine.nextTick == nil)
            #expect(machine.closed(number, at: now, jitter: 1) == [])
            guard let next = machine.nextTick else { return }
            #expect(machine.tick(next - .nanoseconds(1), jitter: 1) == [])
            #expect(machine.tick(next, jitter: 1) == [.connect(number + 1, attempt: number)])
            pauses.append(next - now)
            now = next
        }
        #expect(pauses[0] == HubLinkLimits.pauses.shortest * 2)
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(pauses.last == HubLinkLimits.pauses.longest)
    }

    @Test func jitterShortensAPauseByHalfAtMost() {
        var machine = HubLinkMachine(connects: true)
        _ = machine.start(at: .zero)
        _ = machine.closed(1, at: .zero, jitter: 0)
        #expect(machine.nextTick == HubLinkLimits.pauses.shortest)
    }

    @Test func aHintConnectsAtOnceAndOnlyWhoConnects() {
        var machine = HubLinkMachine(connects: true)
        #expect(machine.hint(at: .zero) == [])
        _ = machine.start(at: .zero)
        #expect(machine.hint(at: .zero) == [])
        _ = machine.closed(1, at: .zero, jitter: 1)
        #expect(machine.hint(at: .zero) == [.connect(2, attempt: 1)])
        var acceptor = HubLinkMachine(connects: false)
        _ = acceptor.start(at: .zero)
        #expect(acceptor.hint(at: .zero) == [])
        #expect(acceptor.nextTick == nil)
    }

    @Test func whoLosesAConnectionTellsItAndConnectsSoon() throws {
        var machine = try Self.open()
        #expect(machine.closed(1, at: .seconds(5), jitter: 1) == [.tell(isConnected: false)])
        #expect(machine.nextTick == .seconds(5) + HubLinkLimits.pauses.shortest)
        // It ended once.
        #expect(machine.closed(1, at: .seconds(5), jitter: 1) == [])
        #expect(machine.send(Self.small, at: .seconds(5)) == nil)
    }

    @Test func aNewConnectionOfTheOtherHubReplacesABrokenOne() throws {
        var machine = try Self.open(connects: false)
        let (connection, actions) = machine.accept(at: .seconds(2))
        #expect(connection == 2)
        let expected: [HubLinkMachine.Action] = [
            .close(1), .tell(isConnected: false), .tell(isConnected: true), .write(.ping, 2),
        ]
        #expect(actions == expected)
        // What the broken one still has comes too late.
        #expect(machine.received(Self.small, on: 1, at: .seconds(2)) == [])
        #expect(machine.closed(1, at: .seconds(2), jitter: 1) == [])
        #expect(machine.isConnected)
        #expect(machine.received(Self.small, on: 2, at: .seconds(2)) == [.deliver(Self.small)])
    }

    @Test func aConnectionThatSucceedsTooLateIsClosed() {
        var machine = HubLinkMachine(connects: true)
        _ = machine.start(at: .zero)
        #expect(machine.stop() == [.close(1)])
        #expect(machine.opened(1, at: .zero) == [.close(1)])
        #expect(!machine.isConnected)
    }

    @Test func aHubThatIsNotServedIsNotConnectedAndTriesLessAndLessOften() {
        var machine = HubLinkMachine(connects: true)
        _ = machine.start(at: .zero)
        // The other hub has proved its key, and closes the connection without a frame.
        #expect(machine.opened(1, at: .zero) == [])
        #expect(machine.send(Self.small, at: .zero) == nil)
        #expect(machine.closed(1, at: .zero, jitter: 1) == [])
        #expect(machine.nextTick == HubLinkLimits.pauses.shortest * 2)
        // Or it says nothing at all.
        _ = machine.hint(at: .zero)
        #expect(machine.opened(2, at: .zero) == [])
        #expect(machine.nextTick == HubLinkLimits.connectTime)
        #expect(machine.tick(HubLinkLimits.connectTime, jitter: 1) == [.close(2)])
        #expect(machine.nextTick == HubLinkLimits.connectTime + HubLinkLimits.pauses.shortest * 4)
        #expect(!machine.isConnected)
    }

    @Test func silenceEndsAConnectionAndPingsPreventIt() throws {
        var machine = try Self.open()
        #expect(machine.nextTick == .seconds(1) + HubLinkLimits.pingTime)
        #expect(machine.tick(.seconds(1) + HubLinkLimits.pingTime, jitter: 1) == [.write(.ping, 1)])
        // A ping isn't delivered, but it is a sign of life.
        #expect(machine.received(.ping, on: 1, at: .seconds(9)) == [])
        #expect(machine.tick(.seconds(12), jitter: 1) == [.write(.ping, 1)])
        let end = Duration.seconds(9) + HubLinkLimits.silenceTime
        #expect(machine.tick(end, jitter: 1) == [.close(1), .tell(isConnected: false)])
        #expect(machine.nextTick == end + HubLinkLimits.pauses.shortest)
    }

    @Test func framesAreTakenUpToTheLimitAndAgainWhenThereIsRoom() throws {
        var machine = try Self.open()
        var count = 0
        while machine.send(Self.big, at: .seconds(1)) != nil { count += 1 }
        #expect(count * Self.big.size <= HubLinkLimits.unsentBytes)
        #expect((count + 1) * Self.big.size > HubLinkLimits.unsentBytes)
        // What fits still goes.
        #expect(machine.send(Self.small, at: .seconds(1)) == [.write(Self.small, 1)])
        #expect(machine.sent(Self.small, on: 1) == [])
        var told = 0
        for _ in 0..<count where machine.sent(Self.big, on: 1) == [.tellRoom] { told += 1 }
        #expect(told == 1)
        #expect(machine.send(Self.big, at: .seconds(1)) != nil)
    }

    @Test func whatALostConnectionDidNotSendDoesNotCount() throws {
        var machine = try Self.open()
        while machine.send(Self.big, at: .seconds(1)) != nil {}
        _ = machine.closed(1, at: .seconds(2), jitter: 1)
        _ = machine.hint(at: .seconds(2))
        _ = machine.opened(2, at: .seconds(2))
        _ = machine.received(.ping, on: 2, at: .seconds(2))
        #expect(machine.send(Self.big, at: .seconds(2)) != nil)
        // The end of an old write doesn't make room.
        #expect(machine.sent(Self.big, on: 1) == [])
    }

    @Test func nothingMoreIsReadWhileTooMuchWaitsToBeHandled() throws {
        var machine = try Self.open()
        var count = 0
        while machine.isReading {
            _ = machine.received(Self.big, on: 1, at: .seconds(1))
            count += 1
        }
        #expect((count - 1) * Self.big.size <= HubLinkLimits.unhandledBytes)
        // The other hub isn't silent: this one doesn't listen.
        #expect(machine.tick(.seconds(60), jitter: 1) == [.write(.ping, 1)])
        var resumed: [HubLinkMachine.Action] = []
        for _ in 0..<count { resumed += machine.handled(Self.big) }
        #expect(resumed == [.resume(1)])
        #expect(machine.isReading)
    }

    @Test func framesAreLinesUpToTheLimit() {
        let line = Self.big.line
        #expect(line.count == Self.big.size)
        #expect(line.count == HubLinkLimits.lineBytes + 1)
        #expect(HubFrame(line: .init(line.dropLast())) == Self.big)
        #expect(HubFrame(.vote, [UInt8](repeating: 1, count: HubLinkLimits.contentBytes + 1)) == nil)
        #expect(HubFrame(line: .init()) == nil)
        #expect(HubFrame(line: .init("v=".utf8)) == nil)
        #expect(HubFrame(line: .init("vAQID".utf8)) == HubFrame(.vote, [1, 2, 3]))
        #expect(HubFrame(line: .init("p".utf8)) == .ping)
        // A later version's kind is read, and whoever gets it ignores it.
        #expect(HubFrame(line: .init("z".utf8))?.kind == HubFrame.Kind(rawValue: UInt8(ascii: "z")))
    }
}
