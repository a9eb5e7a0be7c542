import Foundation
import HomeIdentity
import Logging
import PeerProcess
import Relay
import RelayAPI
import RelayClient
import RelayPostgres
import Testing
import WebServer

/// Several processes that serve one relay.
struct SeveralProcessesTests {
    /// A process of the relay, in this one.
    private struct Member {
        let server: RelayServer
        let store: RelayPostgres

        init(_ url: String) async throws {
            store = try await RelayPostgres.open(url, connections: 2)
            let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            let address = try #require(HTTPAddress("127.0.0.1:0"))
            var configuration = RelayServer.Configuration(address: address, log: log)
            configuration.isOpen = true
            configuration.directory = store
            configuration.limits.beatInterval = .milliseconds(50)
            configuration.limits.openHousesPerAddress = 100
            // The clients of each house have the same keys.
            configuration.limits.sessionsPerKey = 10_000
            configuration.limits.sessionsPerAddress = 10_000
            configuration.limits.settleTime = .seconds(3_600)
            server = try await RelayServer.start(configuration, store: store)
        }

        func stop() async {
            await server.stop()
            await store.close()
        }
    }

    @Test func clientsFindTheProcessThatServesTheirHouse() async throws {
        let url = try await PostgresServer.shared().newSchema()
        let members = [try await Member(url), try await Member(url)]
        var served = [0, 0]
        let owner = IdentityKey()
        let clients = try members.map { try RelayClient($0.server.url, as: owner) }
        // Each house goes to one of them by chance.
        for _ in 0..<64 where served.contains(0) {
            try await Wait.until("the streams before have ended") { members.allSatisfy { $0.server.streams == 0 } }
            let (house, feed) = (HouseID.random(), FeedID.random())
            var writer = TestWriter(house: house, feed: feed)
            // Whichever process a client asks first, it comes to the same one.
            try await clients[0].register(house, owners: [owner.publicKey])
            try await clients[1].makeFeed(feed, in: house)
            let events = clients[1].live(house, feed: feed)
            var iterator = events.makeAsyncIterator()
            #expect(await iterator.next() == .connected)
            for (index, member) in members.enumerated() where member.server.streams > 0 { served[index] += 1 }
            #expect(try await clients[0].append([writer.next()], to: house) == [.appended(seq: 1)])
            // The watcher hears of it, where it is even if the processes don't know each other yet. What it was told before
            // can come again.
            var last: LiveEvent?
            repeat { last = await iterator.next() } while last != .wake(feed, seq: 1) && last != nil
            #expect(last == .wake(feed, seq: 1))
            #expect(try await clients[1].entries(of: feed, in: house, after: 0).count == 1)
        }
        #expect(served.allSatisfy { $0 > 0 })
        for member in members { await member.stop() }
    }

    @Test func pipesMeetAtTheProcessThatServesTheHouse() async throws {
        let url = try await PostgresServer.shared().newSchema()
        let members = [try await Member(url), try await Member(url)]
        let (owner, reader, visitor) = (IdentityKey(), IdentityKey(), IdentityKey())
        var served = [0, 0]
        // Each house goes to one of them by chance. The hub asks one first, and the devices the other.
        for _ in 0..<64 where served.contains(0) {
            try await Wait.until("the streams before have ended") { members.allSatisfy { $0.server.streams == 0 } }
            let (house, feed) = (HouseID.random(), FeedID.random())
            let hub = try RelayClient(members[0].server.url, as: owner)
            try await hub.register(house, owners: [owner.publicKey])
            try await hub.makeFeed(feed, in: house)
            let list = ReaderList(seq: 1, readers: [.init(reader.publicKey, [.read, .pipe])])
            try await hub.setReaders(list, of: feed, in: house)
            let accepted = AwaitableValue<[(socket: TestSocket, origin: PipeOrigin)]>([])
            let hubPipes = RelayPipes { socket, origin in
                accepted.change { $0.append((TestSocket(socket), origin)) }
            } doors: {
                [LiveDoor(visitor.publicKey, seconds: 60)]
            }
            let (connections, connected) = AsyncStream.makeStream(of: Void.self)
            var tasks = [
                Task {
                    for await event in hub.live(house, pipes: hubPipes) where event == .connected { connected.yield() }
                }
            ]
            _ = await connections.first { _ in true }
            var open: [TestSocket] = []
            for (key, origin) in [(reader, PipeOrigin.feed(feed)), (visitor, .door(visitor.publicKey))] {
                let device = try RelayClient(members[1].server.url, as: key)
                let pipes = RelayPipes()
                let isDoor = origin.feed == nil
                tasks.append(
                    Task {
                        // The door opens once the hub is there.
                        while !Task.isCancelled {
                            for await _ in device.live(house, feed: origin.feed, door: isDoor, pipes: pipes) {}
                            try? await Task.sleep(for: .milliseconds(20))
                        }
                    }
                )
                // The first process may not know the second one yet. Then the hub is at the wrong one for a moment, and the
                // pipes of devices find no hub.
                let before = accepted.value.count
                var socket: TestSocket?
                let end = ContinuousClock.now + Wait.limit
                while accepted.value.count == before {
                    try #require(ContinuousClock.now < end, "the hub gets no pipe")
                    socket?.close()
                    let hasEnded = AwaitableValue(false)
                    socket = TestSocket(
                        try await pipes.open(within: Wait.limit) { _ in hasEnded.change { $0 = true } }
                    )
                    try await Wait.until("the hub has the pipe, or it has ended") {
                        accepted.value.count > before || hasEnded.value
                    }
                }
                let (near, (far, from)) = (try #require(socket), accepted.value[before])
                #expect(from == origin)
                try await near.write(Data([7]))
                open += [near, far]
                #expect(try await far.read(1) == Data([7]))
                try await far.write(Data([8]))
                #expect(try await near.read(1) == Data([8]))
            }
            // Hub and devices are all at one process.
            for (index, member) in members.enumerated() where member.server.streams > 0 {
                served[index] += 1
                #expect(member.server.streams == 3 && member.server.pipes == 2)
            }
            for socket in open { socket.close() }
            for task in tasks { task.cancel() }
        }
        #expect(served.allSatisfy { $0 > 0 })
        for member in members { await member.stop() }
    }

    @Test func whatAnotherProcessAppendsIsToldWhileTheyDisagree() async throws {
        let url = try await PostgresServer.shared().newSchema()
        let member = try await Member(url)
        let other = try await RelayPostgres.open(url, connections: 1)
        let owner = IdentityKey()
        var writer = TestWriter(house: .random(), feed: .random())
        let client = try RelayClient(member.server.url, as: owner)
        try await client.register(writer.house, owners: [owner.publicKey])
        try await client.makeFeed(writer.feed, in: writer.house)
        var events = client.live(writer.house, feed: writer.feed).makeAsyncIterator()
        #expect(await events.next() == .connected)
        // A process that takes the house for its own appends to it, and can tell its own watchers only.
        let entry = try CheckedEntry(writer.next(), in: writer.house)
        #expect(
            try await other.append([entry], to: writer.house, as: owner.publicKey, at: 1_790_000_000_000)
                == [.appended(seq: 1)]
        )
        var last: LiveEvent?
        repeat { last = await events.next() } while last != .wake(writer.feed, seq: 1) && last != nil
        #expect(last == .wake(writer.feed, seq: 1))
        await member.stop()
        await other.close()
    }

    @Test func theHousesOfAProcessThatEndsAreServedByTheOthers() async throws {
        let url = try await PostgresServer.shared().newSchema()
        let members = [try await Member(url), try await Member(url)]
        let owner = IdentityKey()
        let client = try RelayClient(members[0].server.url, as: owner)
        var writers: [TestWriter] = []
        for _ in 0..<8 {
            let writer = TestWriter(house: .random(), feed: .random())
            try await client.register(writer.house, owners: [owner.publicKey])
            try await client.makeFeed(writer.feed, in: writer.house)
            writers.append(writer)
        }
        await members[1].stop()
        for var writer in writers {
            try await Wait.until("the other process serves the house") {
                (try? await client.append([writer.item()], to: writer.house).first) != nil
            }
            writer.seq = 1
        }
        await members[0].stop()
    }

    @Test func processesGoOnWhenOneIsKilled() async throws {
        try await withFolder { folder in
            let url = try await PostgresServer.shared().newSchema()
            let first = try await RelayProcess(postgres: url)
            let second = try await RelayProcess(postgres: url)
            let maker = try PeerProcess(
                RelayProcess.hearth,
                ["relay", "token", "--postgres", url, "--uses", "12"]
            )
            let token = try await maker.line("the token") { $0.hasPrefix("hearth-relay-") }
            let owner = IdentityKey()
            var writers = (0..<12).map { _ in TestWriter(house: .random(), feed: .random()) }
            // The second knows the first from its start on.
            let client = try RelayClient(second.url, as: owner)
            for writer in writers {
                try await client.register(writer.house, owners: [owner.publicKey], token: token)
                try await client.makeFeed(writer.feed, in: writer.house)
            }
            for index in writers.indices {
                let writer = writers[index]
                #expect(
                    try await client.append([writers[index].next()], to: writer.house) == [.appended(seq: 1)]
                )
            }
            await first.kill()
            // Once its last beat is old, the second has its houses, with all that was acknowledged.
            for writer in writers {
                var writer = writer
                let item = writer.next()
                try await Wait.until("the second process serves the house") {
                    (try? await client.append([item], to: writer.house)) == [.appended(seq: 2)]
                }
                #expect(try await client.entries(of: writer.feed, in: writer.house, after: 0).count == 2)
            }
            await second.stop()
        }
    }
}
