package import DNSSD
package import Foundation
import HAP
package import HAPClient
import HomeModel
import HomeStore
package import HubAPI
import Logging

/// The hub: the one owner of the homes' database and of the connections to their accessories.
///
/// This is where its parts (database, connections, discovery, questions, values) are put together. Each part is a type of
/// its own: a ``HubPart`` registers its methods, its clean-up and its statistics. Clients reach the parts through sessions.
package final class HomeHub: Sendable {
    // A class, because a running hub has an identity: it ends once, for all who hold it.

    private let store: HomeStore
    let network: any ServiceDiscovery
    let database: HomeDatabase
    let connections: AccessoryConnections
    let questions: QuestionManager
    let sessions: SessionRegistry
    let activities: ActivityStream
    private let feed: SessionFeed
    let router: MethodRouter
    private let ledger: ReplyCache
    let vault: PairingVault
    let addition: AccessoryAddition
    /// The hub's own user and device.
    package let owner: HubOwner
    let aliases: AliasKey
    private let appSockets: AppSocketManager
    private let parts: [any HubPart]
    private let browsing: Task<Void, Never>
    private let copying: Task<Void, Never>?
    private let duplicates: DuplicateHubMonitor
    private let duplicateMonitoring: Task<Void, Never>
    private let log: Logger
    let metrics: HubMetrics
    private let reporter: MetricsReporter
    let requests: RequestObserver

    /// Starts a hub.
    ///
    /// - Throws: What stands in the way, with what to do about it: the database cannot be opened or is another hub's, an
    ///   interface does not exist, port 5353 is taken by a program that does not share it, another hub has taken over.
    package convenience init(_ configuration: HubConfiguration) async throws {
        try await self.init(configuration) { () async throws in
            try await MulticastDNS(interfaces: configuration.interfaces)
        }
    }

    /// Starts a hub that finds and reaches accessories in its own way.
    ///
    /// - Parameters:
    ///   - session: Times, limits and the way to paired accessories.
    ///   - pairer: The same for accessories that are to be paired.
    ///   - discovery: Makes what finds accessories; the hub shuts it down. The interfaces of the configuration have no
    ///     meaning.
    package init(
        _ configuration: HubConfiguration,
        session: SessionConfiguration = SessionConfiguration(),
        pairer: PairerConfiguration = PairerConfiguration(),
        discovery makeDiscovery: () async throws -> any ServiceDiscovery
    ) async throws {
        log = configuration.log
        metrics = HubMetrics(configuration.metrics)
        store = try await HomeStore.open(at: configuration.data)
        ledger = ReplyCache(store: store)
        owner = try await HubOwner.load(from: store)
        aliases = try await AliasKey.load(from: store)
        let term = try await HubPrecedence.begin(in: store, now: configuration.now())
        network = try await makeDiscovery()

        sessions = SessionRegistry()
        activities = ActivityStream()
        let live = LiveState(activities: activities)
        let discovery = AccessoryDiscovery(network: network, activities: activities)
        vault = PairingVault(store: store)
        let pairer = AccessoryPairer(configuration: pairer)
        let person = UserRecord(id: owner.user, name: configuration.userName, role: .owner)
        database = try await HomeDatabase(
            store: store,
            activities: activities,
            owner: person,
            now: configuration.now,
            log: log,
            metrics: metrics
        )
        let hub = Caller(user: owner.user, device: owner.device, app: "hearth.hub", client: owner.device)
        try await database.followMemberships(asHub: hub)
        feed = SessionFeed(
            store: store,
            live: live,
            sessions: sessions,
            state: await database.stored,
            activities: activities
        )
        questions = QuestionManager(
            activities: activities,
            timeout: configuration.questionTimeout,
            now: configuration.now,
            clock: configuration.clock,
            log: log
        )
        connections = AccessoryConnections(
            database: database,
            discovery: discovery,
            vault: vault,
            live: live,
            session: session,
            pairer: pairer,
            hub: hub,
            log: log,
            metrics: metrics
        )

        addition = AccessoryAddition(database: database, connections: connections, questions: questions)
        appSockets = AppSocketManager(store: store, log: log)
        let consent = AppConsent(
            database: database,
            questions: questions,
            sessions: sessions,
            sockets: appSockets,
            isAsking: configuration.asksAboutApps,
            log: log
        )

        parts = [
            appSockets,
            consent,
            SessionMethods(feed: feed, consent: consent, log: log),
            LayoutMethods(database: database),
            UserManagementMethods(database: database, questions: questions),
            AccessoryMethods(addition: addition),
            CharacteristicMethods(database: database, connections: connections, live: live),
            DiagnosisManager(
                database: database,
                connections: connections,
                discovery: discovery,
                network: network,
                live: live,
                now: configuration.now
            ),
            questions,
            BackupManager(
                store: store,
                folder: configuration.data.appending(path: HomeStore.outgoingFolder, directoryHint: .isDirectory),
                owner: owner.user,
                log: log
            ),
            ImportManager(database: database),
            sessions,
            connections,
        ]
        var router = MethodRouter()
        for part in parts { part.register(in: &router) }
        self.router = router
        requests = RequestObserver(methods: router.methods, metrics: metrics, log: log)
        reporter = MetricsReporter(parts: parts, network: network, metrics: metrics)

        try await connections.start()
        copying = DailyCopies.start(of: store, configuration)
        browsing = Self.follow(network.services(of: .hap), discovery, connections)
        duplicates = DuplicateHubMonitor(network: network, database: database, vault: vault, term: term, log: log)
        duplicateMonitoring = Task { [duplicates] in await duplicates.run() }
    }

    private static func follow(
        _ services: some AsyncSequence<BrowseEvent, Never> & Sendable,
        _ discovery: AccessoryDiscovery,
        _ connections: AccessoryConnections
    ) -> Task<Void, Never> {
        Task {
            for await event in services {
                guard let event = await discovery.handle(event) else { continue }
                await connections.handle(event)
            }
        }
    }

    /// Opens the sockets that were made for apps, and from here on those that people ask for.
    package func serveAppSockets(by opener: any AppSocketOpener) async {
        // Until it stops, the hub is held by its sockets.
        await appSockets.start(opener, on: owner.device) { [self] in accept(as: $0, deliver: $1) }
    }

    /// Closes the sockets that were made for apps, once those who asked for one, or for its end, were told what came of it.
    /// No other is opened. Call it before the connections of people are ended, so that they hear it.
    package func closeAppSockets() async {
        await appSockets.stop()
    }

    /// Opens a session.
    ///
    /// - Parameters:
    ///   - authority: Whose connection it is and what it can do, as the listener made sure.
    ///   - deliver: A closure that receives what the hub sends, serially. It must return soon and not call the session.
    package func accept(
        as authority: SessionAuthority,
        deliver: @escaping @Sendable (HubMessage) -> Void
    ) -> HubSession {
        HubSession(
            as: authority,
            aliases: aliases,
            router: router,
            ledger: ledger,
            watch: requests,
            deliver: deliver,
            onReturn: { [feed] in feed.refresh($0) },
            onClose: { [sessions, parts, log] session in
                sessions.remove(session)
                if let hello = session.hello {
                    let metadata: Logger.Metadata = [LogKey.client: "\(session.id)", LogKey.app: "\(hello.app)"]
                    log.debug("A client has gone.", metadata: metadata)
                }
                Task {
                    for part in parts { await part.sessionDidEnd(session.id) }
                }
            }
        )
    }

    /// Waits until this hub is to stop because another one of the same homes goes on in its place: one that was restored from
    /// a backup later, or has run longer from a copy of the data folder. Whoever runs the hub then calls ``stop()``. The
    /// next start is refused with the same reason, until ``claim(_:now:)`` is called.
    ///
    /// For one waiter.
    ///
    /// - Returns: Why it is to stop; nil if the task was cancelled.
    package func superseded() async -> HubError? { await duplicates.superseded() }

    /// Makes the hub of a data folder the one that goes on, in place of any other of the same homes. No hub may run on the
    /// folder.
    ///
    /// - Throws: What the store refuses.
    package static func claim(_ data: URL, now: Date) async throws {
        let store = try await HomeStore.open(at: data)
        try await HubPrecedence.claim(store, now: now)
        try await store.close()
    }

    /// Brings the metrics that show the hub's current state up to date. Call it before the metrics are read.
    package func updateMetrics() async { await reporter.update() }

    /// Ends all sessions and connections and closes the database. The hub can't be used afterwards.
    package func stop() async {
        browsing.cancel()
        duplicateMonitoring.cancel()
        await duplicateMonitoring.value
        copying?.cancel()
        await copying?.value
        for part in parts { await part.stop() }
        await network.shutdown()
        do {
            try await store.close()
        } catch {
            log.error("The database did not close cleanly.", metadata: ["error": "\(error)"])
        }
    }
}
