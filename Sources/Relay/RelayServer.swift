package import Foundation
import HomeIdentity
package import Logging
import Metrics
package import RelayAPI
import Synchronization
import TLS
package import WebServer

/// A relay: an open port that serves a store.
package final class RelayServer: Sendable {
    // This is a class because it is one open socket that is stopped once.

    /// What a relay needs.
    package struct Configuration: Sendable {
        /// Where to listen.
        package var address: HTTPAddress
        /// The URL under which clients reach the relay; `nil` if it is the address.
        package var url: URL?
        /// Where the processes that share the store find each other; `nil` if this is the only one.
        package var directory: (any ProcessDirectory)?
        /// The URL under which clients reach this process in particular; `nil` if it is ``url``.
        package var processURL: URL?
        /// The certificate; `nil` for HTTP without encryption, which is refused beyond this machine.
        package var certificate: CertificateFiles?
        /// Whether everybody may register houses.
        package var isOpen = false
        /// The limits.
        package var limits = RelayServerLimits()
        /// The clock of waits.
        package var clock: any Clock<Duration> = ContinuousClock()
        /// A closure that returns the time in milliseconds since 1970.
        package var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }
        /// The log.
        package var log: Logger
        /// The metrics.
        package var metrics = RelayMetrics(NOOPMetricsHandler.instance)

        /// Creates a configuration.
        package init(address: HTTPAddress, log: Logger) {
            self.address = address
            self.log = log
        }
    }

    private let server: HTTPServer
    private let isEncrypted: Bool
    private let gauges: Gauges
    private let live: LiveRegistry
    private let waiters: FeedWaiters
    private let assignment: HouseAssignment?
    /// When what the store holds was last counted, which can take long.
    private let counted = Mutex<ContinuousClock.Instant?>(nil)
    private let membership: Task<Void, Never>?
    private let tasks: [Task<Void, Never>]

    private init(
        server: HTTPServer,
        isEncrypted: Bool,
        gauges: Gauges,
        live: LiveRegistry,
        waiters: FeedWaiters,
        assignment: HouseAssignment?,
        membership: Task<Void, Never>?,
        tasks: [Task<Void, Never>]
    ) {
        self.server = server
        self.isEncrypted = isEncrypted
        self.gauges = gauges
        self.live = live
        self.waiters = waiters
        self.assignment = assignment
        self.membership = membership
        self.tasks = tasks
    }

    /// The address that was requested, with the actual port.
    package var address: HTTPAddress { server.address }
    /// The URL of the address.
    package var url: String { "\(isEncrypted ? "https" : "http")://\(server.address)" }
    /// The number of live streams.
    package var streams: Int { live.count }
    /// The number of pipes.
    package var pipes: Int { live.pipeCount }
    /// The number of requests that wait for entries.
    package var waiting: Int { waiters.count }

    /// Opens the port; once this returns, clients can connect.
    ///
    /// - Throws: An error if the port can't be opened, the certificate can't be used, or the relay would be plain beyond
    ///   this machine; or ``RelayAPI/RelayStoreError``.
    package static func start(_ configuration: Configuration, store: any RelayStore) async throws -> RelayServer {
        let limits = configuration.limits
        guard configuration.certificate != nil || configuration.address.isLoopback else {
            throw HTTPServerError(
                "A relay is never served beyond this machine without encryption. Give it a certificate, or an address of "
                    + "127.0.0.1 behind a proxy that encrypts."
            )
        }
        let certificate = try configuration.certificate.map { try CurrentCertificate($0, log: configuration.log) }
        let gate = RequestGate(limits)
        let live = LiveRegistry(limits)
        let waiters = FeedWaiters()
        let assignment = configuration.directory.map { HouseAssignment($0) }
        let metrics = configuration.metrics
        let responder = RelayResponder(
            store: store,
            hosts: RelayHosts(
                publicHosts: [configuration.url, configuration.processURL].compactMap { $0?.relayHost },
                address: configuration.address,
                names: { certificate?.names ?? [] },
                isEncrypted: certificate != nil
            ),
            sessions: SessionEndpoint(secret: try await store.secret(), gate: gate, bodyTime: limits.bodyTime),
            houses: HouseEndpoint(store: store, gate: gate, live: live, isOpen: configuration.isOpen),
            votes: VoteEndpoint(store: store, gate: gate, leaders: LeaderTimes(capacity: limits.rates)),
            feeds: FeedEndpoint(store: store, gate: gate, live: live, waiters: waiters),
            entries: EntryEndpoint(
                store: store,
                gate: gate,
                live: live,
                waiters: waiters,
                metrics: metrics,
                clock: configuration.clock,
                recheckTime: limits.recheckTime
            ),
            streams: LiveEndpoint(
                store: store,
                gate: gate,
                live: live,
                clock: configuration.clock,
                gapTime: limits.gapTime
            ),
            assignment: assignment,
            metrics: metrics,
            bodyTime: limits.bodyTime,
            now: configuration.now,
            log: configuration.log
        )
        var context: (@Sendable () -> TLSContext)?
        if let certificate { context = { certificate.context } }
        let server = try await HTTPServer.start(
            at: configuration.address,
            limits: limits.connection,
            context: context,
            logger: configuration.log,
            respond: responder.respond,
            respondPlainly: responder.respondPlainly
        )
        let clock = configuration.clock
        let address = "\(certificate == nil ? "http" : "https")://\(server.address)"
        let membership = assignment.map { assignment in
            Membership(
                assignment: assignment,
                url: (configuration.processURL ?? configuration.url)?.withoutPath ?? address,
                live: live,
                settleTime: limits.settleTime,
                log: configuration.log
            )
        }
        do throws(RelayStoreError) {
            try await membership?.begin()
        } catch {
            await server.stop()
            throw error
        }
        let janitor = Janitor(store: store, now: configuration.now, metrics: metrics, log: configuration.log)
        var tasks = [
            Self.every(limits.pingInterval, clock) { live.ping() },
            Self.every(limits.sweepInterval, clock) { await janitor.sweep() },
        ]
        if let certificate {
            tasks.append(Self.every(CurrentCertificate.refreshInterval, clock) { certificate.refresh() })
        }
        return RelayServer(
            server: server,
            isEncrypted: certificate != nil,
            gauges: Gauges(store: store, metrics: metrics, interval: limits.countInterval),
            live: live,
            waiters: waiters,
            assignment: assignment,
            membership: membership.map { membership in
                Self.every(limits.beatInterval, clock) { await membership.beat() }
            },
            tasks: tasks
        )
    }

    /// Does something again and again, first now.
    private static func every(
        _ interval: Duration,
        _ clock: any Clock<Duration>,
        _ body: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        Task {
            repeat { await body() } while (try? await clock.sleep(for: interval)) != nil
        }
    }

    /// Sets the gauges to the present values.
    package func updateMetrics() async {
        gauges.metrics.set(.streams, Int64(live.count))
        gauges.metrics.set(.pipes, Int64(live.pipeCount))
        gauges.metrics.set(.waits, Int64(waiters.count))
        gauges.metrics.set(.connections, Int64(server.connections))
        guard counted.withLock({ $0.map { ContinuousClock.now - $0 >= gauges.interval } ?? true }),
            let counts = try? await gauges.store.counts()
        else { return }
        counted.withLock { $0 = .now }
        gauges.metrics.set(.houses, Int64(counts.houses))
        gauges.metrics.set(.feeds, Int64(counts.feeds))
        gauges.metrics.set(.storedBytes, counts.entryBytes)
    }

    /// Ends all streams and closes the port and all connections. The store stays open.
    package func stop() async {
        for task in tasks { task.cancel() }
        membership?.cancel()
        // A beat after it has left would count for a while.
        await membership?.value
        await assignment?.leave()
        waiters.stop()
        await live.stop()
        await server.stop()
    }

    private struct Gauges: Sendable {
        var store: any RelayStore
        var metrics: RelayMetrics
        var interval: Duration
    }
}

/// Keeps a process among those of its relay.
private struct Membership: Sendable {
    let assignment: HouseAssignment
    let url: String
    let live: LiveRegistry
    let settleTime: Duration
    let log: Logger

    func begin() async throws(RelayStoreError) { try await assignment.beat(at: url) }

    func beat() async {
        do throws(RelayStoreError) {
            try await assignment.beat(at: url)
        } catch {
            if error != .closed { log.error("The other processes can't be heard of.", metadata: ["error": "\(error)"]) }
        }
        // Whoever follows a house that moved finds its process anew.
        await live.end(ofHouses: { !assignment.serves($0) })
        if !assignment.isSettled(for: settleTime) { await catchUp() }
    }

    /// The number of houses whose feeds are read at a time.
    private static let housesPerRead = 500

    /// Tells those who follow feeds where they are, because another process may have appended to them.
    private func catchUp() async {
        let houses = live.houses
        for start in stride(from: 0, to: houses.count, by: Self.housesPerRead) {
            let part = Array(houses[start..<min(houses.count, start + Self.housesPerRead)])
            guard let heads = try? await assignment.heads(of: part) else { return }
            for (house, feeds) in heads {
                for (feed, seq) in feeds { live.wake(FeedPlace(house: house, feed: feed), seq: seq) }
            }
        }
    }
}

/// Removes what is too old.
private struct Janitor: Sendable {
    let store: any RelayStore
    let now: @Sendable () -> Int64
    let metrics: RelayMetrics
    let log: Logger

    func sweep() async {
        do throws(RelayStoreError) {
            var result = SweepResult(hasMore: true)
            while result.hasMore, !Task.isCancelled {
                result = try await store.sweep(at: now())
                metrics.countSwept(result.entries)
                if result.houses > 0 { log.info("A house was removed, because nothing was written to it for long.") }
            }
        } catch {
            if error != .closed { log.error("Old entries can't be removed.", metadata: ["error": "\(error)"]) }
        }
    }
}

/// The certificate of a relay, which is replaced when its files change.
private final class CurrentCertificate: Sendable {
    // This is a class because the connections share it.

    static let refreshInterval = Duration.seconds(60)

    private let files: CertificateFiles
    private let contents: Mutex<CertificateFiles.Contents>
    private let log: Logger

    init(_ files: CertificateFiles, log: Logger) throws {
        self.files = files
        self.log = log
        contents = Mutex(try files.read())
    }

    var context: TLSContext { contents.withLock { $0.context } }
    var names: [String] { contents.withLock { $0.identity.names } }

    func refresh() {
        let modified = files.modified
        guard modified != contents.withLock({ $0.modified }) else { return }
        // Files that can't be used are looked at again once they have changed.
        contents.withLock { $0.modified = modified }
        do {
            let new = try files.read()
            contents.withLock { $0 = new }
            log.info("The certificate was replaced.")
        } catch {
            log.error("The certificate could not be replaced.", metadata: ["error": "\(error)"])
        }
    }
}

extension URL {
    /// The URL as clients are told it.
    var withoutPath: String { absoluteString.hasSuffix("/") ? String(absoluteString.dropLast()) : absoluteString }

    /// The host and port as clients sign them.
    var relayHost: String? {
        guard let host = host() else { return nil }
        let text = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return SessionProof.signedHost(port.map { "\(text):\($0)" } ?? text)
    }
}
