import Foundation
import HomeIdentity
import PeerProcess
import Relay
import RelayAPI
import RelayClient
import Synchronization
import Testing

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
        private let accepted: AsyncStream<(CInt, FeedID)>
        private let tasks = Mutex<[Task<Void, Never>]>([])
        init(_ relay: ServedRelay, rights: ReaderRights = [.read, .pipe]) async throws {
            self.relay = relay
            hub = try await relay.makeFeed()
            device = try relay.client(key)
            let (accepted, accept) = AsyncStream.makeStream(of: (CInt, FeedID).self)
            self.accepted = accepted
            try await setRights(rights, seq: 1)
            await follow(hub, nil, RelayPipes { accept.yield(($0, $1)) })
            await follow(device, relay.feed, pipes)
        }

        func setRights(_ rights: ReaderRights?, seq: Int64) async throws {
            let readers = rights.map { [ReaderList.Reader(key.publicKey, $0)] } ?? []
            try await hub.setReaders(ReaderList(seq: seq, readers: readers), of: relay.feed, in: relay.house)
        }

        /// Follows a stream, and returns once it is connected.
        func follow(_ client: RelayClient, _ feed: FeedID?, _ pipes: RelayPipes) async {
            let house = relay.house
            let (connections, connected) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                for await event in client.live(house, feed: feed, pipes: pipes) where event == .connected {
                    connected.yield()
                }
            }
            tasks.withLock { $0.append(task) }
            for await _ in connections { break }
        }

        /// Opens a pipe, and returns the sockets at both ends.
        func open() async throws -> (device: TestSocket, hub: TestSocket) {
            let socket = TestSocket(try await pipes.open(within: Wait.limit))
            var iterator = accepted.makeAsyncIterator()
            let (other, feed) = try #require(await iterator.next())
            #expect(feed == relay.feed)
            return (socket, TestSocket(other))
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
}
