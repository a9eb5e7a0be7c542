import Foundation
import HAPCatalog
import HomeKit
import HomeModel
import HubAPI
import HubClient
import Synchronization

/// A hub whose behavior the test scripts. It applies the real rules of homes, so its events are valid. It records the
/// app's requests, and replies when and in the order that the test chooses.
final class ScriptedHub: Sendable {
    /// A request of the app.
    struct Request: Sendable {
        let message: HubRequest
        let transport: ScriptedTransport

        var method: String { message.method }

        func parameters<Parameters, Result>(of method: Method<Parameters, Result>) throws -> Parameters {
            try JSONDecoder().decode(Parameters.self, from: message.parameters)
        }

        func reply(_ result: some Encodable & Sendable) throws {
            transport.deliver(.reply(id: message.id, .success(try JSONEncoder().encode(result))))
        }

        func refuse(_ code: HubError.Code, _ reason: String = "Because.") {
            transport.deliver(.reply(id: message.id, .failure(HubError(code, reason))))
        }
    }

    private struct State {
        var account: Account
        var homes: [UUID: Home] = [:]
        var values = KnownValues()
        var reachability: [UUID: ReachabilityUpdate] = [:]
        var transports: [ScriptedTransport] = []
        var isDown = false
        var isSilent = false
        var refusal: HubError?
        var opened = 0
        var greeting: Hello?
        /// The events since the last connection, for an app that resumes its session. If `nil`, the app receives the
        /// full state.
        var missed: [HubEvent]?
    }

    /// The app's requests, except greetings.
    let requests = Inbox<Request>()
    /// The app's unanswered greetings.
    let greetings = Inbox<Request>()
    /// The app's log messages.
    let log = Inbox<String>()
    /// The app's pending retries. Calling one simulates the end of its delay.
    let retries = Inbox<@Sendable () -> Void>()

    /// The lineage of all logs.
    let lineage = UUID()
    /// The protocol version of the hub.
    let version = Mutex(HubProtocol.version)
    /// The hub's run ID. A hub with another run ID doesn't know earlier requests.
    let run = Mutex(UUID())
    /// Whether the hub says that it stores requests across restarts.
    let keepsRequests = Mutex(false)
    /// The time limits of the app's calls. Calling one simulates its expiration.
    let limits = Inbox<@Sendable () -> Void>()
    private let owner = UserRecord(id: UUID(), name: "Owner", role: .owner)
    private let state: Mutex<State>

    init() {
        state = Mutex(State(account: Account(user: owner.id)))
    }

    /// Creates the environment of an app that connects to this hub.
    func environment(
        queue: DispatchQueue = DispatchQueue(label: "app"),
        notifications: NotificationCenter = NotificationCenter()
    ) -> HomeKitEnvironment {
        HomeKitEnvironment(
            app: "com.example.test",
            purpose: "Tests",
            queue: queue,
            retry: RetryPolicy(delay: { .seconds($0) }, wait: { [retries] _, work in retries.put(work) }),
            callLimit: CallTimeout(ordinary: .seconds(5), greeting: .seconds(10)) { [limits] _, work in
                limits.put(work)
            },
            notifications: notifications,
            log: { [log] in log.put($0) },
            transport: { ScriptedTransport(to: self) }
        )
    }

    // MARK: Connections

    /// Whether the hub is unavailable.
    var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }

    /// Whether the hub puts greetings into ``greetings``, for the test to answer.
    var isSilent: Bool {
        get { state.withLock { $0.isSilent } }
        set { state.withLock { $0.isSilent = newValue } }
    }

    /// The client ID of every connection.
    static let client = UUID()

    /// The error with which the hub rejects every greeting.
    var refusal: HubError? {
        get { state.withLock { $0.refusal } }
        set { state.withLock { $0.refusal = newValue } }
    }

    /// The number of open connections.
    var connections: Int { state.withLock { $0.transports.count } }

    /// The number of attempted connections.
    var attempts: Int { state.withLock { $0.opened } }

    /// The last greeting.
    var greeting: Hello? { state.withLock { $0.greeting } }

    /// Closes all connections.
    func lose() {
        for transport in state.withLock({ $0.transports }) {
            transport.end(HubError(.connectionLost, "The hub ended the connection."))
        }
    }

    /// Closes all connections and lets the app reconnect.
    ///
    /// - Parameter isRestarted: Whether the hub restarts in between.
    /// - Returns: The app's greeting.
    func reconnect(isRestarted: Bool = false) async throws -> Hello {
        isSilent = true
        lose()
        if isRestarted { restart() }
        try await retries.next()()
        let greeting = try await greetings.next()
        isSilent = false
        answer(greeting)
        return try greeting.parameters(of: HubMethods.hello)
    }

    /// Restarts the hub: it forgets requests, values and reachability.
    func restart() {
        run.withLock { $0 = UUID() }
        state.withLock { state in
            state.values = KnownValues()
            for (accessory, update) in state.reachability {
                state.reachability[accessory] = ReachabilityUpdate(
                    home: update.home,
                    accessory: accessory,
                    because: HubError(.notReachable, .connecting)
                )
            }
        }
    }

    /// Lets an app that reconnects resume its session.
    func keepMissed() { state.withLock { $0.missed = [] } }

    fileprivate func opened(_ transport: ScriptedTransport) {
        let isDown = state.withLock { state in
            state.opened += 1
            if !state.isDown { state.transports.append(transport) }
            return state.isDown
        }
        if isDown { transport.end(HubError(.noHub, "No hub answers at /nowhere.")) }
    }

    fileprivate func closed(_ transport: ScriptedTransport) {
        state.withLock { $0.transports.removeAll { $0 === transport } }
    }

    fileprivate func receive(_ message: HubRequest, from transport: ScriptedTransport) {
        let request = Request(message: message, transport: transport)
        guard message.method == HubMethods.hello.name else {
            requests.put(request)
            return
        }
        if isSilent { greetings.put(request) } else { answer(request) }
    }

    /// Replies to a greeting.
    func answer(_ request: Request) {
        let (refusal, snapshot, missed) = state.withLock { state in
            state.greeting = try? request.parameters(of: HubMethods.hello)
            return (state.refusal, Self.snapshot(of: state), state.missed)
        }
        if let refusal {
            request.refuse(refusal.code, refusal.reason)
        } else {
            let welcome = Welcome(
                version: version.withLock { $0 },
                run: run.withLock { $0 },
                client: Self.client,
                keepsRequests: keepsRequests.withLock { $0 }
            )
            try? request.reply(welcome)
            guard let missed, greeting?.seen != nil else { return request.transport.deliver(.event(.reset(snapshot))) }
            for event in missed { request.transport.deliver(.event(event)) }
            let present = LiveSnapshot(values: snapshot.values, reachability: snapshot.reachability)
            request.transport.deliver(.event(.resumed(present)))
        }
    }

    private static func snapshot(of state: State) -> Snapshot {
        Snapshot(
            account: Snapshot.Log(
                lineage: UUID(),
                revision: 1,
                records: state.account.records
            ),
            homes: state.homes.mapValues {
                Snapshot.Log(lineage: UUID(), revision: 1, records: $0.records, user: state.account.user)
            },
            values: state.values,
            reachability: Array(state.reachability.values)
        )
    }

    // MARK: Events

    func tell(_ event: HubEvent) {
        state.withLock { state in
            if state.transports.isEmpty { state.missed?.append(event) }
        }
        for transport in state.withLock({ $0.transports }) { transport.deliver(.event(event)) }
    }

    func home(_ id: UUID) -> Home? { state.withLock { $0.homes[id] } }

    /// Adds a home and sends the event.
    @discardableResult
    func addHome(_ name: String, isMine: Bool = false) throws -> UUID {
        let id = UUID()
        let creation = Home.creation(id: id, defaultRoom: UUID(), owner: owner)
        state.withLock { state in
            var home = Home(id: id)
            home.apply(creation)
            state.homes[id] = home
        }
        let arrival = LogChange(
            home: id,
            lineage: lineage,
            revision: 1,
            change: creation,
            isMine: isMine,
            user: owner.id
        )
        tell(.change(arrival))
        try change(.addHome(id: id, name: name), isMine: isMine)
        return id
    }

    /// Applies a change to the user's list of homes and sends the event.
    func change(_ request: AccountRequest, isMine: Bool = false) throws {
        let change = try state.withLock { state -> Change? in
            guard let change = try state.account.decide(request) else { return nil }
            state.account.apply(change)
            return change
        }
        guard let change else { return }
        tell(.change(LogChange(home: nil, lineage: lineage, revision: 1, change: change, isMine: isMine)))
        if case .removeHome(let id) = request {
            state.withLock { $0.homes[id] = nil }
            tell(.homeGone(id))
        }
    }

    /// Applies a change to a home and sends the event.
    func change(_ request: any HomeRequest, in id: UUID, isMine: Bool = false) throws {
        let caller = Caller(user: owner.id, device: UUID(), app: "", client: UUID())
        let change = try state.withLock { state -> Change? in
            guard let change = try state.homes[id]?.decide(request, by: caller, at: Date()) else { return nil }
            state.homes[id]?.apply(change)
            return change
        }
        guard let change else { return }
        tell(.change(LogChange(home: id, lineage: lineage, revision: 1, change: change, isMine: isMine)))
    }

    /// Adds a room and sends the event.
    @discardableResult
    func addRoom(_ name: String, in home: UUID, isMine: Bool = false) throws -> UUID {
        let id = UUID()
        try change(AddRoom(id: id, name: name), in: home, isMine: isMine)
        return id
    }

    /// Adds a server's accessories, which are reachable. The first one is the server's primary accessory.
    @discardableResult
    func addAccessories(_ candidates: [AccessoryCandidate], in home: UUID, isMine: Bool = false) throws -> [UUID] {
        let server = candidates.first?.id.uuidString ?? ""
        let request = AddAccessories(candidates, server: server, name: nil, room: nil)
        try change(request, in: home, isMine: isMine)
        setReachable(candidates.map(\.id), true, in: home)
        return candidates.map(\.id)
    }

    func setReachable(
        _ accessories: [UUID],
        _ isReachable: Bool,
        because code: HubError.Code? = nil,
        in home: UUID
    ) {
        let updates = accessories.map {
            ReachabilityUpdate(home: home, accessory: $0, isReachable: isReachable, cause: code?.rawValue, code: code)
        }
        state.withLock { state in
            for update in updates { state.reachability[update.accessory] = update }
        }
        tell(.reachability(updates))
    }

    func setValue(_ value: CharacteristicValue?, of characteristic: CharacteristicReference, in home: UUID) {
        let update = ValueUpdate(home: home, characteristic: characteristic, value: value)
        state.withLock { $0.values[characteristic, in: home] = value }
        tell(.values([update]))
    }
}

/// A connection to a scripted hub.
final class ScriptedTransport: RPCTransport {
    private let hub: ScriptedHub
    private let queue = DispatchQueue(label: "transport")
    private let receive = Mutex<(@Sendable (HubMessage) -> Void)?>(nil)

    init(to hub: ScriptedHub) {
        self.hub = hub
    }

    func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        self.receive.withLock { $0 = receive }
        hub.opened(self)
    }

    func send(_ request: HubRequest) {
        hub.receive(request, from: self)
    }

    func close() {
        end(HubError(.connectionLost, "The app closed the connection."))
    }

    /// Waits until everything has been delivered.
    func flush() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    func deliver(_ message: HubMessage) {
        queue.async { self.receive.withLock { $0 }?(message) }
    }

    func end(_ error: HubError) {
        hub.closed(self)
        queue.async {
            let receive = self.receive.withLock { receive in
                defer { receive = nil }
                return receive
            }
            receive?(.closed(error))
        }
    }
}
