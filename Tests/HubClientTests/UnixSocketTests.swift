import Foundation
import HubAPI
import HubClient
import LocalRPCSockets
import Synchronization
import Testing

struct UnixSocketTests {
    private let folder: TemporaryFolder
    private let socket: String

    init() throws {
        folder = try TemporaryFolder()
        socket = folder.path("hub.sock")
    }

    private func listen(_ hub: ScriptedHub) async throws -> UnixSocketListener {
        try await UnixSocketListener.start(path: socket, of: "hub", acceptor: hub)
    }

    private func connect(_ log: MessageLog = MessageLog()) -> HubConnection {
        HubConnection(
            over: UnixSocketTransport(path: socket),
            onEvent: { log.add(.event($0)) },
            onClose: { log.add(.closed($0)) }
        )
    }

    private func error(of log: MessageLog) async -> HubError? { await log.untilClosed().error }

    // MARK: Messages

    @Test func aCallIsAnswered() async throws {
        let hub = ScriptedHub { request, deliver in
            deliver(.reply(id: request.id, .success(Data(#"{"id":"6F9619FF-8B86-D011-B42D-00C04FC964FF"}"#.utf8))))
        }
        let listener = try await listen(hub)
        let connection = connect()
        let added = try await connection.call(HubMethods.addHome, AddHome(name: "Home"))
        #expect(added.id == UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF"))
        await listener.stop()
    }

    @Test func anErrorArrivesWithItsCodeAndReason() async throws {
        let refusal = HubError(.init(rawValue: "nameTaken"), "There is a \"Küche\" already.\n")
        let hub = ScriptedHub { request, deliver in deliver(.reply(id: request.id, .failure(refusal))) }
        let listener = try await listen(hub)
        let connection = connect()
        await #expect(throws: refusal) { try await connection.call(HubMethods.addHome, AddHome(name: "Home")) }
        await listener.stop()
    }

    @Test func eventsAndRepliesKeepTheHubsOrder() async throws {
        let hub = ScriptedHub { request, deliver in
            for _ in 0..<3 { deliver(.event(.homeGone(UUID()))) }
            deliver(.reply(id: request.id, .success(Data("{}".utf8))))
        }
        let listener = try await listen(hub)
        let log = MessageLog()
        let transport = UnixSocketTransport(path: socket)
        transport.open { log.add($0) }
        for id in 1...2_000 { transport.send(HubRequest(id: id, method: "m", parameters: Data("{}".utf8))) }

        var ids: [Int] = []
        var events = 0
        for await message in log.messages {
            switch message {
            case .event: events += 1
            case .reply(let id, _):
                ids.append(id)
                #expect(events == 3 * id)
            case .closed(let error): Issue.record(error)
            }
            if ids.count == 2_000 { break }
        }
        #expect(ids == Array(1...2_000))
        transport.close()
        await listener.stop()
    }

    @Test func aMessageOfThreeMegabytesArrivesWhole() async throws {
        let text = String(repeating: "ß\n", count: 1 << 20)
        let question = Question(
            id: UUID(),
            kind: .setupCode,
            text: text,
            home: UUID(),
            deviceID: nil,
            app: "a",
            expires: .distantFuture
        )
        let hub = ScriptedHub { _, deliver in deliver(.event(.asked(question))) }
        let listener = try await listen(hub)
        let log = MessageLog()
        let transport = UnixSocketTransport(path: socket)
        transport.open { log.add($0) }
        transport.send(HubRequest(id: 1, method: "m", parameters: Data("{}".utf8)))
        for await message in log.messages {
            guard case .event(.asked(let asked)) = message else { continue }
            #expect(asked == question)
            break
        }
        transport.close()
        await listener.stop()
    }

    @Test func aRequestOverTheLimitFailsByItselfAndTheConnectionGoesOn() async throws {
        let hub = ScriptedHub { request, deliver in deliver(.reply(id: request.id, .success(Data("{}".utf8)))) }
        let listener = try await listen(hub)
        let connection = connect()
        let long = String(repeating: "x", count: HubProtocol.requestLimit)
        await #expect { try await connection.call(HubMethods.addHome, AddHome(name: long)) } throws: {
            ($0 as? HubError)?.code == .malformedMessage
        }
        _ = try await connection.call(HubMethods.removeHome, HomeTarget(home: UUID()))
        await listener.stop()
    }

    // MARK: Start and end

    @Test func bothEndsLearnFromTheKernelWhoIsAtTheOther() async throws {
        let hub = ScriptedHub()
        let peers = Mutex<[SocketPeer]>([])
        let note: @Sendable (SocketPeer) -> Bool = { peer in
            peers.withLock { $0.append(peer) }
            return true
        }
        let listener = try await UnixSocketListener.start(
            path: socket,
            of: "hub",
            acceptor: hub,
            isTrusted: note
        )
        let transport = UnixSocketTransport<HubEvent>(path: socket, to: .hub, isTrusted: note)
        let log = MessageLog()
        transport.open { log.add($0) }
        transport.send(HubRequest(id: 1, method: "m", parameters: Data("{}".utf8)))
        for await _ in log.messages { break }
        let me = SocketPeer(processID: getpid(), userID: geteuid(), groupID: getegid())
        #expect(peers.withLock { $0 } == [me, me])
        transport.close()
        await listener.stop()
    }

    @Test func theSessionEndsWithItsConnection() async throws {
        let hub = ScriptedHub()
        let listener = try await listen(hub)
        let log = MessageLog()
        let connection = connect(log)
        await hub.wait { $0 == .accepted(1) }
        connection.close()
        await hub.wait { $0 == .ended(1) }
        #expect(await error(of: log)?.code == .connectionLost)
        await listener.stop()
    }

    @Test func aConnectionThatNobodyHoldsIsClosed() async throws {
        let hub = ScriptedHub()
        let listener = try await listen(hub)
        do {
            let connection = connect()
            await hub.wait { $0 == .accepted(1) }
            _ = connection
        }
        await hub.wait { $0 == .ended(1) }
        await listener.stop()
    }

    @Test func aStoppingHubFailsTheCallsThatWait() async throws {
        let hub = ScriptedHub { _, _ in }
        let listener = try await listen(hub)
        let log = MessageLog()
        let connection = connect(log)
        let call = Task { try await connection.call(HubMethods.addHome, AddHome(name: "Home")) }
        await hub.wait { if case .received = $0 { true } else { false } }
        await listener.stop()
        await #expect(throws: HubError(.connectionLost, "The hub is stopping.")) { try await call.value }
        #expect(await error(of: log) == HubError(.connectionLost, "The hub is stopping."))
        await #expect(throws: HubError.self) { try await connection.call(HubMethods.addHome, AddHome(name: "Home")) }
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test func aHubThatClosesAConnectionSaysWhy() async throws {
        let hub = ScriptedHub()
        let listener = try await listen(hub)
        let log = MessageLog()
        let connection = connect(log)
        await hub.wait { $0 == .accepted(1) }
        let reason = HubError(.versionMismatch, "This hub is too old.")
        hub.deliver(.closed(reason), to: 1)
        #expect(await error(of: log) == reason)
        await hub.wait { $0 == .ended(1) }
        withExtendedLifetime(connection) {}
        await listener.stop()
    }

    @Test func withoutAHubTheErrorSaysWhereAndWhatToDo() async throws {
        let log = MessageLog()
        let connection = connect(log)
        let error = try #require(await error(of: log))
        #expect(error.code == .noHub)
        #expect(error.reason.contains(socket))
        #expect(error.reason.contains("`hearth hub`"))
        withExtendedLifetime(connection) {}
    }

    @Test func aPathTooLongForASocketIsNoHub() async throws {
        let log = MessageLog()
        let transport = UnixSocketTransport(path: folder.path(String(repeating: "x", count: 200)))
        transport.open { log.add($0) }
        #expect(await error(of: log)?.code == .noHub)
    }

    // MARK: Other users

    @Test func aHubOfAnotherUserIsNotBelieved() async throws {
        let hub = ScriptedHub()
        let listener = try await listen(hub)
        let log = MessageLog()
        let transport = UnixSocketTransport<HubEvent>(path: socket, to: .hub, isTrusted: { !$0.isTrusted() })
        transport.open { log.add($0) }
        transport.send(HubRequest(id: 1, method: "m", parameters: Data("{}".utf8)))
        #expect(await error(of: log)?.code == .untrustedHub)
        for await happening in hub.happenings {
            if case .received = happening { Issue.record("The hub got a request.") }
            if case .ended = happening { break }
        }
        await listener.stop()
    }

    @Test func aClientOfAnotherUserIsRefused() async throws {
        let hub = ScriptedHub()
        let listener = try await UnixSocketListener.start(
            path: socket,
            of: "hub",
            acceptor: hub,
            isTrusted: { $0.processID != getpid() }
        )
        let log = MessageLog()
        let connection = connect(log)
        let error = await error(of: log)
        #expect(error?.code == .connectionLost || error?.code == .noHub)
        withExtendedLifetime(connection) {}
        await listener.stop()
    }
}
