import Foundation
import HAPCatalog
import HomeKit
import HomeModel
import HubAPI
import Synchronization

/// The other end of an app's connections, moved by the test: it keeps homes by the real rules, so that what it tells makes
/// sense, records what the app asks, and answers when the test says so and in the order in which it says.
final class ScriptedHub: Sendable {
    /// A call that the app made.
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
        /// What was told while nobody was connected, for an app that returns; nil has it told everything anew.
        var missed: [HubEvent]?
    }

    /// What the app asks, without its greeting.
    let requests = Inbox<Request>()
    /// The app's greetings, while they are not answered.
    let greetings = Inbox<Request>()
    /// What the app logs.
    let log = Inbox<String>()
    /// The app's wish to try again; calling it is the time that passes.
    let retries = Inbox<@Sendable () -> Void>()

    /// The lineage of all logs.
    let lineage = UUID()
    /// The version of the protocol that the hub speaks.
    let version = Mutex(HubProtocol.version)
    /// Which start of the hub it is; another one is a hub that has forgotten what it did.
    let run = Mutex(UUID())
    /// Whether it says that its later starts know what it did.
    let keepsRequests = Mutex(false)
    /// The app's calls that have a time limit; calling one is the time that passes.
    let limits = Inbox<@Sendable () -> Void>()
    private let owner = UserRecord(id: UUID(), name: "Owner", role: .owner)
    private let state: Mutex<State>

    init() {
        state = Mutex(State(account: Account(user: owner.id)))
    }

    /// The environment of an app whose hub this is.
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

    // MARK: The way to the hub

    /// Whether no hub answers.
    var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }

    /// Whether the hub leaves greetings to ``greetings``, for the test to answer.
    var isSilent: Bool {
        get { state.withLock { $0.isSilent } }
        set { state.withLock { $0.isSilent = newValue } }
    }

    /// What it calls every connection.
    static let client = UUID()

    /// Why the hub refuses every greeting.
    var refusal: HubError? {
        get { state.withLock { $0.refusal } }
        set { state.withLock { $0.refusal = newValue } }
    }

    /// How many connections there are now.
    var connections: Int { state.withLock { $0.transports.count } }

    /// How many connections were tried.
    var attempts: Int { state.withLock { $0.opened } }

    /// What the app said of itself last.
    var greeting: Hello? { state.withLock { $0.greeting } }

    /// Ends all connections.
    func lose() {
        for transport in state.withLock({ $0.transports }) {
            transport.end(HubError(.connectionLost, "The hub ended the connection."))
        }
    }

    /// Ends all connections and lets the app connect again.
    ///
    /// - Parameter isRestarted: Whether the hub starts anew meanwhile.
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

    /// Starts anew: what the hub did and what it knew of accessories is forgotten.
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

    /// Lets an app that returns go on from where it was.
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

    /// Answers a greeting.
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

    // MARK: What the hub tells

    func tell(_ event: HubEvent) {
        state.withLock { state in
            if state.transports.isEmpty { state.missed?.append(event) }
        }
        for transport in state.withLock({ $0.transports }) { transport.deliver(.event(event)) }
    }

    func home(_ id: UUID) -> Home? { state.withLock { $0.homes[id] } }

    /// Adds a home, and tells of it.
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

    /// Changes the user's list of homes by its rules, and tells of it.
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

    /// Changes a home by its rules, and tells of it.
    func change(_ request: HomeRequest, in id: UUID, isMine: Bool = false) throws {
        let caller = Caller(user: owner.id, device: UUID(), app: "", client: UUID())
        let change = try state.withLock { state -> Change? in
            guard let change = try state.homes[id]?.decide(request, by: caller, at: Date()) else { return nil }
            state.homes[id]?.apply(change)
            return change
        }
        guard let change else { return }
        tell(.change(LogChange(home: id, lineage: lineage, revision: 1, change: change, isMine: isMine)))
    }

    /// Adds a room, and tells of it.
    @discardableResult
    func addRoom(_ name: String, in home: UUID, isMine: Bool = false) throws -> UUID {
        let id = UUID()
        try change(.addRoom(id: id, name: name), in: home, isMine: isMine)
        return id
    }

    /// Adds what a server hosts, reachable; its first accessory is the server's own.
    @discardableResult
    func addAccessories(_ candidates: [AccessoryCandidate], in home: UUID, isMine: Bool = false) throws -> [UUID] {
        let server = candidates.first?.id.uuidString ?? ""
        let request = HomeRequest.addAccessories(candidates, server: server, name: nil, room: nil)
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

/// One connection to a scripted hub.
final class ScriptedTransport: HubTransport {
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
