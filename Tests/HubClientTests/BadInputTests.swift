import Foundation
import HAPCatalog
import HubAPI
import LocalRPCSockets
import Synchronization
import Testing

struct BadInputTests {
    private let folder: TemporaryFolder
    private let socket: String

    init() throws {
        folder = try TemporaryFolder()
        socket = folder.path("hub.sock")
    }

    private func request(_ id: Int, padding: Int = 0, until: Int64? = nil) -> Data {
        let padding = Data(#""\#(String(repeating: "x", count: padding))""#.utf8)
        return WireMessage.line(HubRequest(id: id, method: "m", parameters: padding, until: until))
    }

    /// Returns the code of each line that is an error without an ID.
    private func refusals(in lines: [String]) throws -> [String] {
        try lines.compactMap { line in
            guard case .closed(let error)? = try WireMessage.message(from: Data(line.utf8)) else { return nil }
            return error.code.rawValue
        }
    }

    private static let lines: [Data] = {
        var brokenText = Data(#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":""#.utf8)
        brokenText.append(contentsOf: [0xC3, 0x28])
        brokenText.append(contentsOf: Data(#""}}"#.utf8))
        let texts: [String] = [
            "no JSON", "[1,2]", "{}", "", #"{"jsonrpc":"2.0","#, #"{"jsonrpc":"2.0","id":"seven","method":"m"}"#,
            String(repeating: "[", count: 100_000),
        ]
        return texts.map { Data($0.utf8) } + [Data([0x7B, 0xFF, 0xFE, 0x7D]), Data([0x00]), brokenText]
    }()

    @Test(arguments: lines)
    func aLineThatIsNoRequestIsRefusedAndTheConnectionGoesOn(line: Data) async throws {
        let hub = ScriptedHub()
        let listener = try await UnixSocketListener.start(path: socket, of: "hub", acceptor: hub)
        let client = try RawSocket(connectedTo: socket)
        await client.send(line + [WireMessage.terminator] + request(7))
        client.finish()
        let lines = await client.readToEnd()
        #expect(lines.count == 2)
        #expect(try refusals(in: Array(lines.prefix(1))) == ["malformedMessage"])
        #expect(lines.first?.contains(#""id":null"#) == true)
        #expect(lines.last?.contains(#""id":7"#) == true)
        await listener.stop()
    }

    @Test func aRequestAtTheLimitIsTakenAndOneByteMoreEndsTheConnection() async throws {
        let hub = ScriptedHub { request, deliver in deliver(.reply(id: request.id, .success(Data("{}".utf8)))) }
        let listener = try await UnixSocketListener.start(path: socket, of: "hub", acceptor: hub)
        let bare = request(1).count - 1
        let client = try RawSocket(connectedTo: socket)
        await client.send(request(1, padding: HubProtocol.requestLimit - bare))
        await client.send(request(2, padding: HubProtocol.requestLimit - bare + 1) + request(3))
        let lines = await client.readToEnd()
        #expect(lines.count == 2)
        #expect(lines.first?.contains(#""id":1"#) == true)
        #expect(try refusals(in: lines) == ["malformedMessage"])
        await listener.stop()
    }

    @Test(arguments: [0, .min, .max] as [Int64])
    func theTimeThatAnAgentAddsToARequestIsNotPartOfItsLength(until: Int64) async throws {
        let hub = ScriptedHub { request, deliver in deliver(.reply(id: request.id, .success(Data("{}".utf8)))) }
        let listener = try await UnixSocketListener.start(path: socket, of: "hub", acceptor: hub)
        let bare = request(1).count - 1
        let client = try RawSocket(connectedTo: socket)
        await client.send(request(1, padding: HubProtocol.requestLimit - bare, until: until))
        await client.send(request(2, padding: HubProtocol.requestLimit - bare + 1, until: until) + request(3))
        let lines = await client.readToEnd()
        #expect(lines.count == 2)
        #expect(lines.first?.contains(#""id":1"#) == true)
        #expect(try refusals(in: lines) == ["malformedMessage"])
        await listener.stop()
    }

    @Test func aLineWithoutItsEndIsRefusedAndTheOthersAreAnswered() async throws {
        let hub = ScriptedHub()
        let listener = try await UnixSocketListener.start(path: socket, of: "hub", acceptor: hub)
        let client = try RawSocket(connectedTo: socket)
        await client.send(request(1) + request(2).dropLast())
        client.finish()
        let lines = await client.readToEnd()
        #expect(lines.count == 2)
        #expect(lines.contains { $0.contains(#""id":1"#) })
        #expect(try refusals(in: lines) == ["malformedMessage"])
        await hub.wait { $0 == .ended(1) }
        await listener.stop()
    }

    @Test func whoHasNothingMoreToAskStillGetsTheAnswers() async throws {
        let waiting = Mutex<[Int]>([])
        let hub = ScriptedHub { request, _ in waiting.withLock { $0.append(request.id) } }
        let listener = try await UnixSocketListener.start(path: socket, of: "hub", acceptor: hub)
        let client = try RawSocket(connectedTo: socket)
        await client.send(request(1) + request(2))
        client.finish()
        var received = 0
        for await happening in hub.happenings {
            if case .received = happening { received += 1 }
            if received == 2 { break }
        }
        for id in waiting.withLock({ $0 }) { hub.deliver(.reply(id: id, .success(Data("{}".utf8))), to: 1) }
        #expect(await client.readToEnd().count == 2)
        await listener.stop()
    }

    @Test func aClientThatAsksWithoutEndIsReadMoreSlowly() async throws {
        let count = 6_000
        let state = Mutex((waiting: [Int](), most: 0))
        let hub = ScriptedHub { request, _ in
            state.withLock { state in
                state.waiting.append(request.id)
                state.most = max(state.most, state.waiting.count)
            }
        }
        let listener = try await UnixSocketListener.start(path: socket, of: "hub", acceptor: hub)
        let client = try RawSocket(connectedTo: socket)
        let padding = 500
        async let sent = client.send((1...count).reduce(into: Data()) { $0 += request($1, padding: padding) })
        async let lines = client.readLines(count)

        var received = 0
        for await happening in hub.happenings {
            guard case .received = happening else { continue }
            received += 1
            // Answers only once the hub holds as much as it may, or all requests.
            guard received >= SocketLimits.unansweredRequests else { continue }
            let ids = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            for id in ids { hub.deliver(.reply(id: id, .success(Data("{}".utf8))), to: 1) }
            if received == count { break }
        }
        let wasSent = await sent
        let answers = await lines.count
        #expect(wasSent)
        #expect(answers == count)
        #expect(state.withLock { $0.most } <= SocketLimits.unansweredRequests)
        await listener.stop()
    }

    @Test func aClientThatAsksMuchIsReadMoreSlowly() async throws {
        let (count, size) = (40, SocketLimits.unansweredBytes / 8)
        let state = Mutex((waiting: [Int](), most: 0))
        let hub = ScriptedHub { request, _ in
            state.withLock { state in
                state.waiting.append(request.id)
                state.most = max(state.most, state.waiting.count)
            }
        }
        let listener = try await UnixSocketListener.start(path: socket, of: "hub", acceptor: hub)
        let client = try RawSocket(connectedTo: socket)
        async let sent = client.send((1...count).reduce(into: Data()) { $0 += request($1, padding: size) })
        async let lines = client.readLines(count)
        var received = 0
        for await happening in hub.happenings {
            guard case .received = happening else { continue }
            received += 1
            guard received.isMultiple(of: 8) else { continue }
            let ids = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            for id in ids { hub.deliver(.reply(id: id, .success(Data("{}".utf8))), to: 1) }
            if received == count { break }
        }
        let wasSent = await sent
        let answers = await lines.count
        #expect(wasSent)
        #expect(answers == count)
        #expect(state.withLock { $0.most } == 8)
        await listener.stop()
    }

    @Test func aClientThatDoesNotReadItsRepliesIsReadNoFurtherAndNobodyElseIsDisturbed() async throws {
        let text = String(repeating: "x", count: 100_000)
        let hub = ScriptedHub { request, deliver in
            deliver(.reply(id: request.id, .success(Data("\"\(text)\"".utf8))))
        }
        let listener = try await listen(hub, Backlog.Limits(events: 1 << 20, total: 1 << 26))
        let idle = try RawSocket(connectedTo: socket)
        await hub.wait { $0 == .accepted(1) }
        for id in 1...40 { await idle.send(request(id)) }
        await hub.wait { $0 == .fellBehind(1) }

        let reader = try RawSocket(connectedTo: socket)
        await reader.send(request(41))
        #expect(await reader.readLines(1).first?.contains(#""id":41"#) == true)
        var taken = 0
        await hub.wait { happening in
            if case .received(1, _) = happening { taken += 1 }
            if case .received(2, _) = happening { return true }
            return false
        }
        #expect(taken < 40)
        #expect(await idle.readLines(40).last?.contains(#""id":40"#) == true)
        await listener.stop()
    }

    @Test func aReplyAboveTheLimitThatTheSocketTakesHoldsBackNothing() async throws {
        let text = Data("\"\(String(repeating: "x", count: 100_000))\"".utf8)
        let hub = ScriptedHub { request, deliver in deliver(.reply(id: request.id, .success(text))) }
        let listener = try await listen(hub, Backlog.Limits(events: 80_000, total: 1 << 20))
        let client = try RawSocket(connectedTo: socket)
        for id in 1...3 {
            await client.send(request(id))
            #expect(await client.readLines(1).first?.contains(#""id":\#(id)"#) == true)
        }
        client.finish()
        // Only the end of the connection is left to report.
        await hub.wait { happening in
            #expect(happening != .fellBehind(1))
            return happening == .ended(1)
        }
        await listener.stop()
    }

    @Test func aClientThatDoesNotReadWhatIsTooMuchToKeepIsLetGoOf() async throws {
        let replies = Mutex<[HubMessage]>([])
        let text = Data("\"\(String(repeating: "x", count: 100_000))\"".utf8)
        let hub = ScriptedHub { request, _ in replies.withLock { $0.append(.reply(id: request.id, .success(text))) } }
        let listener = try await listen(hub, Backlog.Limits(events: 1 << 20, total: 1 << 20))
        let idle = try RawSocket(connectedTo: socket)
        for id in 1...40 { await idle.send(request(id)) }
        await hub.wait { if case .received(1, let request) = $0 { request.id == 40 } else { false } }
        for reply in replies.withLock({ $0 }) { hub.deliver(reply, to: 1) }
        await hub.wait { $0 == .ended(1) }
        await listener.stop()
    }

    @Test func aClientThatDoesNotReadEventsFallsBehindAndCatchesUp() async throws {
        let hub = ScriptedHub()
        let listener = try await listen(hub, Backlog.Limits(events: 1 << 20, total: 1 << 26))
        let client = try RawSocket(connectedTo: socket)
        await hub.wait { $0 == .accepted(1) }
        var sent = 0
        let isPaused = Mutex(false)
        let watch = Task {
            await hub.wait { $0 == .fellBehind(1) }
            isPaused.withLock { $0 = true }
            await hub.wait { $0 == .caughtUp(1) }
        }
        while !isPaused.withLock({ $0 }) {
            for _ in 0..<1_000 { hub.deliver(.event(.homeGone(UUID())), to: 1) }
            sent += 1_000
            await Task.yield()
        }
        #expect(await client.readLines(sent).count == sent)
        await watch.value
        await listener.stop()
    }

    @Test func aResetHoldsBackNothingHoweverLargeItIs() async throws {
        let hub = ScriptedHub()
        let listener = try await listen(hub, Backlog.Limits(events: 1 << 20, total: 1 << 20))
        let client = try RawSocket(connectedTo: socket)
        await hub.wait { $0 == .accepted(1) }
        var values = KnownValues()
        for iid in 0..<40_000 as Range<UInt64> {
            values[CharacteristicReference(accessory: UUID(), iid: iid), in: UUID()] = .bool(true)
        }
        let log = Snapshot.Log(lineage: UUID(), revision: 0, records: [])
        hub.deliver(.event(.reset(Snapshot(account: log, homes: [:], values: values, reachability: []))), to: 1)
        hub.deliver(.event(.homeGone(UUID())), to: 1)
        let lines = await client.readLines(2)
        #expect((lines.first?.utf8.count ?? 0) > 1 << 22)
        #expect(lines.last?.contains("homeGone") == true)
        client.finish()
        // Only the end of the connection is left to report.
        await hub.wait { happening in
            #expect(happening != .fellBehind(1))
            return happening == .ended(1)
        }
        await listener.stop()
    }

    @Test func aThousandIdleConnectionsDisturbNobody() async throws {
        let hub = ScriptedHub { request, deliver in deliver(.reply(id: request.id, .success(Data("{}".utf8)))) }
        let listener = try await UnixSocketListener.start(path: socket, of: "hub", acceptor: hub)
        let idle = try (0..<1_000).map { _ in try RawSocket(connectedTo: socket) }
        let client = try RawSocket(connectedTo: socket)
        await client.send(request(1))
        #expect(await client.readLines(1).first?.contains(#""id":1"#) == true)
        #expect(idle.count == 1_000)
        await listener.stop()
    }

    @Test func connectionsPastTheLimitAreToldSoAndMakeRoomForLaterOnes() async throws {
        let hub = ScriptedHub { request, deliver in deliver(.reply(id: request.id, .success(Data("{}".utf8)))) }
        let listener = try await UnixSocketListener.start(
            path: socket,
            of: "hub",
            acceptor: hub,
            connectionLimit: 2,
            isTrusted: { _ in true }
        )
        let first = try RawSocket(connectedTo: socket)
        await hub.wait { $0 == .accepted(1) }
        let second = try RawSocket(connectedTo: socket)
        await hub.wait { $0 == .accepted(2) }
        let third = try RawSocket(connectedTo: socket)
        let lines = await third.readToEnd()
        #expect(lines.count == 1)
        #expect(try refusals(in: lines) == ["tooManyConnections"])

        first.finish()
        await hub.wait { $0 == .ended(1) }
        var answer: [String] = []
        // A connection's place becomes free when it closes, a moment after its session has ended.
        while answer.first?.contains(#""id":4"#) != true {
            let fourth = try RawSocket(connectedTo: socket)
            await fourth.send(request(4))
            answer = await fourth.readLines(1)
        }
        await second.send(request(2))
        #expect(await second.readLines(1).first?.contains(#""id":2"#) == true)
        await listener.stop()
    }

    private func listen(_ hub: ScriptedHub, _ limits: Backlog.Limits) async throws -> UnixSocketListener {
        try await UnixSocketListener.start(
            path: socket,
            of: "hub",
            acceptor: hub,
            limits: limits,
            isTrusted: { _ in true }
        )
    }
}
