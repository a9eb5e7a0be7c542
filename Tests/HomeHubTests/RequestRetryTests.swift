import Foundation
import HomeKit
import HomeModel
import HubAPI
import Synchronization
import Testing

@testable import HomeHub

/// A client that lost its connection before the reply retries the request, which is carried out only once.
struct RequestRetryTests {
    /// Returns a connection that has called `session.hello`.
    private static func connect(to hub: HomeHub, app: String = "test") async throws -> HubConnection {
        let connection = HubConnection(over: InProcessTransport(to: hub, as: .person(on: hub))) { _ in }
        _ = try await connection.call(HubMethods.hello, Hello(app: app, purpose: "Tests."))
        return connection
    }

    private static func room(
        _ name: String,
        in home: UUID,
        key: UUID
    ) throws -> EncodedCall<InHome<AddRoom>, AddedItem> {
        try EncodedCall(HubMethods.addRoom, InHome(home, AddRoom(name: name)), key: key)
    }

    private static func make(
        _ call: EncodedCall<InHome<AddRoom>, AddedItem>,
        _ connection: HubConnection
    ) async -> Result<AddedItem, HubError> {
        await withCheckedContinuation { (continuation: CheckedContinuation<Result<AddedItem, HubError>, Never>) in
            connection.call(call) { continuation.resume(returning: $0) }
        }
    }

    @Test func aRequestThatComesAgainIsAnsweredWithTheFirstResult() async throws {
        try await withHub { hub in
            let first = try await Self.connect(to: hub)
            let home = try await first.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let call = try Self.room("Kitchen", in: home, key: UUID())
            let added = try await Self.make(call, first).get()
            first.close()
            let second = try await Self.connect(to: hub)
            #expect(try await Self.make(call, second).get() == added)
            let probe = try await RecordingHubClient(to: hub)
            #expect(probe.view.homes[home]?.rooms.map(\.name) == ["Kitchen"])
        }
    }

    @Test func aRequestThatComesAgainBeforeItIsAnsweredIsDoneOnce() async throws {
        try await withHub { hub in
            let first = try await Self.connect(to: hub)
            let home = try await first.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let second = try await Self.connect(to: hub)
            let call = try Self.room("Kitchen", in: home, key: UUID())
            async let one = Self.make(call, first)
            async let two = Self.make(call, second)
            let ids = try await [one.get(), two.get()]
            #expect(ids[0] == ids[1])
        }
    }

    @Test func aFailureIsRepeatedToo() async throws {
        try await withHub { hub in
            let connection = try await Self.connect(to: hub)
            let home = try await connection.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let room = try await connection.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen"))).id
            let call = try Self.room("Kitchen", in: home, key: UUID())
            let failure = await Self.make(call, connection)
            #expect(throws: HubError.self) { try failure.get() }
            _ = try await connection.call(HubMethods.removeRoom, InHome(home, RemoveRoom(room)))
            #expect(await Self.make(call, connection) == failure)
        }
    }

    @Test func theKeyOfAnotherRequestIsRefused() async throws {
        try await withHub { hub in
            let connection = try await Self.connect(to: hub)
            let home = try await connection.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let key = UUID()
            _ = try await Self.make(try Self.room("Kitchen", in: home, key: key), connection).get()
            let other = await Self.make(try Self.room("Study", in: home, key: key), connection)
            let error = #expect(throws: HubError.self) { try other.get() }
            #expect(error?.code == .keyReused)
            let probe = try await RecordingHubClient(to: hub)
            #expect(probe.view.homes[home]?.rooms.map(\.name) == ["Kitchen"])
        }
    }

    @Test func nobodyGetsTheReplyToTheRequestOfAnotherApp() async throws {
        try await withHub { hub in
            let connection = try await Self.connect(to: hub)
            let home = try await connection.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let call = try Self.room("Kitchen", in: home, key: UUID())
            _ = try await Self.make(call, connection).get()
            let other = try await Self.connect(to: hub, app: "other")
            let error = await #expect(throws: HubError.self) { try await Self.make(call, other).get() }
            #expect(error?.code.rawValue == "nameTaken")
        }
    }

    @Test func eachStartOfAHubIsAnother() async throws {
        try await withDataFolder { folder in
            var runs: Set<UUID> = []
            for _ in 0..<2 {
                try await withHub(at: folder) { hub in
                    for _ in 0..<2 {
                        let connection = HubConnection(over: InProcessTransport(to: hub, as: .person(on: hub))) { _ in }
                        let hello = Hello(app: "test", purpose: "Tests.")
                        runs.insert(try await connection.call(HubMethods.hello, hello).run)
                    }
                }
            }
            #expect(runs.count == 2)
        }
    }

    // MARK: Own changes

    @Test func whatALostConnectionChangedIsTheClientsOwnIfItSaysSo() async throws {
        try await withHub { hub in
            let first = try await RecordingHubClient(to: hub)
            let home = try await first.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let seen = first.view
            // This simulates that neither the changes nor the replies reached the first client.
            _ = try await first.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen")))
            _ = try await first.call(HubMethods.addHome, AddHome(name: "Hut"))
            let other = try await RecordingHubClient(to: hub)
            _ = try await other.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Study")))
            let (run, client) = (first.welcome.run, try #require(first.welcome.client))
            first.close()

            let lost = PreviousConnection(run: run, client: client)
            let second = try await RecordingHubClient(to: hub, after: seen, lost: lost)
            #expect(
                second.owners == ["roomAdded": true, "homeCreated": true, "homeAdded": true, "roomAdded Study": false]
            )
            let silent = try await RecordingHubClient(to: hub, after: seen)
            #expect(!silent.owners.values.contains(true))
            let stranger = try await RecordingHubClient(
                to: hub,
                after: seen,
                lost: PreviousConnection(run: run, client: UUID())
            )
            #expect(!stranger.owners.values.contains(true))
        }
    }

    @Test func whatIsStillUnderWayIsTheClientsOwnToo() async throws {
        try await withHub { hub in
            let first = try await RecordingHubClient(to: hub)
            let home = try await first.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let lost = PreviousConnection(run: first.welcome.run, client: try #require(first.welcome.client))
            let second = try await RecordingHubClient(to: hub, after: first.view, lost: lost)
            _ = try await first.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen")))
            try await second.until { $0.homes[home]?.rooms.map(\.name) == ["Kitchen"] }
            #expect(second.owners == ["roomAdded": true])
        }
    }

    /// A transport that loses the next reply, and the change before it, when told to.
    private final class LosingTransport: RPCTransport {
        private let inner: InProcessTransport
        private let isLosing: Mutex<Bool>

        init(to hub: HomeHub, isLosing: Bool) {
            inner = InProcessTransport(to: hub, as: .person(on: hub))
            self.isLosing = Mutex(isLosing)
        }

        func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
            inner.open { [self] message in
                switch message {
                case .event(.change) where isLosing.withLock(\.self):
                    return
                case .reply(let id, _) where isLosing.withLock(\.self) && id > 1:
                    inner.close()
                default:
                    receive(message)
                }
            }
        }

        func send(_ request: HubRequest) { inner.send(request) }
        func close() { inner.close() }
    }

    @Test func anAppDoesNotHearOfItsOwnChangeFromItsDelegateWhenTheReplyWasLost() async throws {
        try await withPopulatedHub { hub, _ in
            let isFirst = Mutex(true)
            let app = TestApp(on: hub, named: "test.loser") {
                let isLosing = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                return LosingTransport(to: hub, isLosing: isLosing)
            }
            let other = TestApp(on: hub, named: "test.other")
            try await app.until("homes updated")
            try await other.until("homes updated")
            let home = try #require(app.manager.homes.first)
            let room = try await home.addRoom(named: "Attic")
            #expect(home.rooms.contains(room))
            #expect(isFirst.withLock { !$0 })
            try await other.until("added room Attic")
            // The state after the reconnection arrived before the reply.
            #expect(app.count("added room Attic") == 0)
        }
    }

    // MARK: Stored replies

    private static func request() -> KeyedRequest {
        let request = HubRequest(id: 1, method: "m", parameters: Data("{}".utf8))
        let sender = SessionAuthority(user: UUID(), device: UUID(), client: .person)
        return KeyedRequest(request, key: UUID(), from: sender, app: "test")
    }

    /// Returns whether a request is new.
    private static func isNew(_ request: KeyedRequest, _ ledger: ReplyCache) -> Bool {
        ledger.reserve(request) { _ in }
    }

    @Test func theOldestAnsweredRequestsGoWhenThereAreTooMany() {
        let ledger = ReplyCache(store: nil, limits: ReplyCache.Limits(count: 3, bytes: 100))
        let (running, requests) = (Self.request(), (0..<3).map { _ in Self.request() })
        #expect(Self.isNew(running, ledger))
        for request in requests {
            #expect(Self.isNew(request, ledger))
            ledger.complete(request.key, .success(Data()))
        }
        #expect(requests.filter { Self.isNew($0, ledger) }.isEmpty)
        let next = Self.request()
        #expect(Self.isNew(next, ledger))
        ledger.complete(next.key, .success(Data()))
        #expect(!Self.isNew(running, ledger))
        #expect(!Self.isNew(requests[1], ledger))
        #expect(Self.isNew(requests[0], ledger))
    }

    @Test func theOldestAnsweredRequestsGoWhenTheirResultsAreTooLarge() {
        let ledger = ReplyCache(store: nil, limits: ReplyCache.Limits(count: 10, bytes: 100))
        let requests = (0..<3).map { _ in Self.request() }
        for (request, size) in zip(requests, [60, 40, 1]) {
            #expect(Self.isNew(request, ledger))
            if size == 1 { #expect(!Self.isNew(requests[0], ledger)) }
            ledger.complete(request.key, .success(Data(count: size)))
        }
        #expect(!Self.isNew(requests[1], ledger))
        #expect(Self.isNew(requests[0], ledger))
    }
}

extension RecordingHubClient {
    /// Whether each received change is the client's own, by verb. The Study has its own key.
    fileprivate var owners: [String: Bool] {
        Dictionary(
            changes.map { change in
                let isStudy = change.change.effects.contains { effect in
                    if case .put(.room(let room)) = effect { room.name == "Study" } else { false }
                }
                return ("\(change.change.verb.rawValue)\(isStudy ? " Study" : "")", change.isMine)
            }
        ) { $0 && $1 }
    }
}
