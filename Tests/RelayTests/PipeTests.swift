import Foundation
import HomeIdentity
import NIOCore
import PeerProcess
import RelayAPI
import Synchronization
import Testing

@testable import Relay
@testable import RelayClient

/// Pipes through a relay that serves HTTP, between sockets.
struct PipeTests {
    /// A hub and a device on their live streams.
    private final class Ends: Sendable {
        // This is a class because the hub's pipes call it.

        let relay: ServedRelay
        let hub: RelayClient
        let key = IdentityKey()
        let device: RelayClient
        let pipes = RelayPipes()
        let doors = AwaitableValue<[LiveDoor]>([])
        let hubPipes: RelayPipes
        private let accepted: AsyncStream<(CInt, PipeOrigin)>
        private let tasks = Mutex<[Task<Void, Never>]>([])
        init(_ relay: ServedRelay, rights: ReaderRights = [.read, .pipe]) async throws {
            self.relay = relay
            hub = try await relay.makeFeed()
            device = try relay.client(key)
            let (accepted, accept) = AsyncStream.makeStream(of: (CInt, PipeOrigin).self)
            self.accepted = accepted
            hubPipes = RelayPipes {
                accept.yield(($0, $1))
            } doors: { [doors] in
                doors.value
            }
            try await setRights(rights, seq: 1)
            await follow(hub, nil, hubPipes)
            await follow(device, relay.feed, pipes)
        }

        func setRights(_ rights: ReaderRights?, seq: Int64) async throws {
            let readers = rights.map { [ReaderList.Reader(key.publicKey, $0)] } ?? []
            try await hub.setReaders(ReaderList(seq: seq, readers: readers), of: relay.feed, in: relay.house)
        }

        /// Follows a stream, and returns once it is connected, or has ended because there is no right to it.
        ///
        /// - Returns: Whether it is connected.
        @discardableResult
        func follow(_ client: RelayClient, _ feed: FeedID?, door: Bool = false, _ pipes: RelayPipes) async -> Bool {
            let house = relay.house
            let (connections, connected) = AsyncStream.makeStream(of: Bool.self)
            let task = Task {
                for await event in client.live(house, feed: feed, door: door, pipes: pipes) where event == .connected {
                    connected.yield(true)
                }
                connected.yield(false)
            }
            tasks.withLock { $0.append(task) }
            return await connections.first { _ in true } ?? false
        }

        /// Opens a pipe, and returns the sockets at both ends.
        func open(_ pipes: RelayPipes? = nil, from origin: PipeOrigin? = nil) async throws -> (
            device: TestSocket, hub: TestSocket
        ) {
            let socket = TestSocket(try await (pipes ?? self.pipes).open(within: Wait.limit))
            var iterator = accepted.makeAsyncIterator()
            let (other, from) = try #require(await iterator.next())
            #expect(from == origin ?? .feed(relay.feed))
            return (socket, TestSocket(other))
        }

        /// Sets the hub's doors.
        func setDoors(_ keys: [IdentityKey]) {
            doors.change { $0 = keys.map { LiveDoor($0.publicKey, seconds: 60) } }
            hubPipes.refreshDoors()
        }

        func stop() {
            for task in tasks.withLock({ $0 }) { task.cancel() }
        }
    }

    private static func withEnds(_ body: (Ends) async throws -> Void) async throws {
        try await ServedRelay.with { relay in
            let ends = try await Ends(relay)
            defer { ends.stop() }
            try await body(ends)
        }
    }

    @Test func bytesFlowBothWaysAndKeepTheirOrder() async throws {
        try await Self.withEnds { ends in
            let (device, hub) = try await ends.open()
            try await device.write(Data("hello".utf8))
            #expect(try await hub.read(5) == Data("hello".utf8))
            // More than the credit, several times, in both directions at once.
            let up = Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
            let down = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 17 >> 2) })
            async let sentUp: Void = device.write(up)
            async let sentDown: Void = hub.write(down)
            async let gotUp = hub.read(up.count)
            async let gotDown = device.read(down.count)
            #expect(try await gotUp == up)
            #expect(try await gotDown == down)
            try await sentUp
            try await sentDown
            #expect(ends.relay.server.pipes == 1)
            // What was written before the end arrives before it.
            try await device.write(Data("bye".utf8))
            device.close()
            #expect(try await hub.readToEnd() == Data("bye".utf8))
            try await Wait.until("the pipe has ended") { ends.relay.server.pipes == 0 }
        }
    }

    @Test func pipesDoNotMixAndAReaderThatStopsHoldsUpNoOther() async throws {
        try await Self.withEnds { ends in
            let stopped = try await ends.open()
            let other = try await ends.open()
            // Nobody reads the first pipe: its writer is held up once the credit and the sockets are full.
            let large = Data(repeating: 1, count: 4 << 20)
            let writing = Task { try await stopped.device.write(large) }
            for index in 0..<20 {
                let line = Data("line \(index)".utf8)
                try await other.device.write(line)
                #expect(try await other.hub.read(line.count) == line)
                try await other.hub.write(line)
                #expect(try await other.device.read(line.count) == line)
            }
            #expect(try await stopped.hub.read(large.count) == large)
            try await writing.value
        }
    }

    @Test func thePipesOfAKeyThatLosesTheRightHaveEndedWhenTheAnswerComes() async throws {
        try await Self.withEnds { ends in
            let (device, hub) = try await ends.open()
            try await device.write(Data([1]))
            #expect(try await hub.read(1) == Data([1]))
            // The right to read stays, so the stream does as well.
            try await ends.setRights(.read, seq: 2)
            #expect(ends.relay.server.pipes == 0 && ends.relay.server.streams == 2)
            #expect(try await hub.readToEnd() == Data())
            #expect(try await device.readToEnd() == Data())
            let refused = TestSocket(try await ends.pipes.open(within: Wait.limit))
            #expect(try await refused.readToEnd() == Data())
            try await ends.setRights([.read, .pipe], seq: 3)
            let again = try await ends.open()
            try await ends.setRights(nil, seq: 4)
            #expect(ends.relay.server.pipes == 0 && ends.relay.server.streams == 1)
            #expect(try await again.hub.readToEnd() == Data())
        }
    }

    @Test func aFeedHasAsManyPipesAsItsQuotaAndNotOneMore() async throws {
        try await Self.withEnds { ends in
            var open: [(device: TestSocket, hub: TestSocket)] = []
            for _ in 0..<HouseQuota.home.pipesPerFeed { open.append(try await ends.open()) }
            let refused = TestSocket(try await ends.pipes.open(within: Wait.limit))
            #expect(try await refused.readToEnd() == Data())
            #expect(ends.relay.server.pipes == HouseQuota.home.pipesPerFeed)
            open.removeLast().device.close()
            try await Wait.until("the pipe has ended") { ends.relay.server.pipes < HouseQuota.home.pipesPerFeed }
            _ = try await ends.open()
        }
    }

    @Test func aHubThatComesBackGetsNewPipes() async throws {
        try await Self.withEnds { ends in
            let (device, _) = try await ends.open()
            let (accepted, accept) = AsyncStream.makeStream(of: CInt.self)
            await ends.follow(ends.hub, nil, RelayPipes { socket, _ in accept.yield(socket) })
            #expect(try await device.readToEnd() == Data())
            let next = TestSocket(try await ends.pipes.open(within: Wait.limit))
            var iterator = accepted.makeAsyncIterator()
            let hub = TestSocket(try #require(await iterator.next()))
            try await next.write(Data([9]))
            #expect(try await hub.read(1) == Data([9]))
        }
    }

    @Test func withoutAHubAPipeEndsAtOnce() async throws {
        try await ServedRelay.with { relay in
            let hub = try await relay.makeFeed()
            let key = IdentityKey()
            let list = ReaderList(seq: 1, readers: [.init(key.publicKey, [.read, .pipe])])
            try await hub.setReaders(list, of: relay.feed, in: relay.house)
            let pipes = RelayPipes()
            await #expect(throws: RelayClientError.self) { _ = try await pipes.open(within: .milliseconds(1)) }
            let device = try relay.client(key)
            let task = Task { for await _ in device.live(relay.house, feed: relay.feed, pipes: pipes) {} }
            defer { task.cancel() }
            let socket = TestSocket(try await pipes.open(within: Wait.limit))
            #expect(try await socket.readToEnd() == Data())
        }
    }

    @Test func whoHasTheKeyOfADoorReachesTheHubUntilTheHubClosesIt() async throws {
        try await Self.withEnds { ends in
            let (key, other) = (IdentityKey(), IdentityKey())
            let client = try ends.relay.client(key)
            // Without a door, the key is a stranger's, and a door is nobody else's.
            #expect(await !ends.follow(client, nil, door: true, RelayPipes()))
            ends.setDoors([other])
            #expect(await !ends.follow(client, nil, door: true, RelayPipes()))
            ends.setDoors([key, other])
            let pipes = RelayPipes()
            try await Wait.until("the door is open") { await ends.follow(client, nil, door: true, pipes) }
            let (visitor, hub) = try await ends.open(pipes, from: .door(key.publicKey))
            try await visitor.write(Data("knock".utf8))
            #expect(try await hub.read(5) == Data("knock".utf8))
            try await hub.write(Data("come in".utf8))
            #expect(try await visitor.read(7) == Data("come in".utf8))
            // A door opens neither the house's stream nor a feed.
            let owner = await refusal { _ = try await client.status(of: ends.relay.feed, in: ends.relay.house) }
            #expect(owner == .notFound)
            #expect(await !ends.follow(client, nil, RelayPipes()))
            #expect(await !ends.follow(client, ends.relay.feed, RelayPipes()))

            ends.setDoors([other])
            #expect(try await visitor.readToEnd() == Data())
            #expect(try await hub.readToEnd() == Data())
            try await Wait.until("the stream has ended") { ends.relay.server.streams == 2 }
            #expect(await !ends.follow(client, nil, door: true, RelayPipes()))
        }
    }

    @Test func theDoorsOfAHubThatIsGoneAreClosed() async throws {
        try await Self.withEnds { ends in
            let key = IdentityKey()
            ends.setDoors([key])
            let client = try ends.relay.client(key)
            let pipes = RelayPipes()
            try await Wait.until("the door is open") { await ends.follow(client, nil, door: true, pipes) }
            let (visitor, _) = try await ends.open(pipes, from: .door(key.publicKey))
            ends.stop()
            #expect(try await visitor.readToEnd() == Data())
            try await Wait.until("all streams have ended") { ends.relay.server.streams == 0 }
            #expect(await !ends.follow(client, nil, door: true, RelayPipes()))
        }
    }

    @Test func aRelayAnswersAPing() async throws {
        try await ServedRelay.with { relay in
            let hub = try await relay.makeFeed()
            let bytes = AwaitableValue(Data())
            let path = "/v1/houses/\(relay.house)/live"
            let (response, channel) = try await hub.stream("\(path)?pipes=1") { chunk in bytes.change { $0 += chunk } }
            // The first sign of life comes by itself.
            try await bytes.until { $0 == LiveFrame.ping.encoded }
            try await hub.sendFrames(LiveFrame.ping.encoded, 1, to: "\(path)/\(try #require(response.stream))")
            try await bytes.until { $0 == LiveFrame.ping.encoded + LiveFrame.ping.encoded }
            try await channel.close()
        }
    }

    @Test func thePipesOfAMinuteAreLimited() async throws {
        try await Self.withEnds { ends in
            let ended = AwaitableValue<[PipeEnd]>([])
            for _ in 0..<HouseQuota.home.pipesPerMinute {
                let (device, hub) = try await ends.open()
                device.close()
                #expect(try await hub.readToEnd() == Data())
            }
            func knock() async throws -> TestSocket {
                TestSocket(try await ends.pipes.open(within: Wait.limit) { end in ended.change { $0.append(end) } })
            }
            #expect(try await knock().readToEnd() == Data())
            #expect(try await ended.until { !$0.isEmpty } == [.tooMany])
            // As time passes, there can be further ones.
            ends.relay.clock.advance(seconds: 1)
            _ = try await ends.open()
        }
    }

    @Test func theBytesOfADayAreLimitedAndTheReasonIsTold() async throws {
        // The frames of a request count, with their heads.
        let size = HouseQuota.home.pipeBytesPerDay
        let gate = RequestGate(RelayServerLimits())
        let (house, now) = (HouseID.random(), Int64(1_790_000_000_000))
        #expect(gate.countPipeBytes(size - 1, of: house, .home, at: now) != .spent)
        #expect(gate.countPipeBytes(1, of: house, .home, at: now) != .spent)
        #expect(gate.countPipeBytes(1, of: house, .home, at: now) == .spent)
        // Another house has its own, and what is spent comes back over a day.
        #expect(gate.countPipeBytes(size, of: .random(), .home, at: now) != .spent)
        #expect(gate.countPipeBytes(1, of: house, .home, at: now + 1_000) != .spent)
        #expect(gate.countPipeBytes(size, of: house, .home, at: now + 86_400_000 + 1_000) != .spent)
    }

    @Test func theBytesOfASecondAreLimitedByPauses() {
        let gate = RequestGate(RelayServerLimits())
        let (house, second) = (HouseID.random(), HouseQuota.home.pipeBytesPerSecond)
        #expect(gate.countPipeBytes(second, of: house, .home, at: 0) == .wait(0))
        guard case .wait(let time) = gate.countPipeBytes(1, of: house, .home, at: 0) else {
            Issue.record("The day isn't over.")
            return
        }
        #expect(time == 1)
        // Twice as much in a second makes the sender wait for one.
        #expect(gate.countPipeBytes(second, of: house, .home, at: 1_001) == .wait(0))
        #expect(gate.countPipeBytes(second, of: house, .home, at: 1_001) == .wait(1_000))
    }
}
