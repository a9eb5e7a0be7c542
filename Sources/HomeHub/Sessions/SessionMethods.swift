import Foundation
import HomeModel
import HubAPI
import Logging

/// The methods that start a session, and that move its client to the background and back.
struct SessionMethods: HubPart {
    let feed: SessionFeed
    let consent: AppConsent
    private let devices: DeviceTable
    /// The interfaces on which the hub finds accessories, by name or address; empty for all.
    private let interfaces: [String]
    private let log: Logger
    /// The ID of this run of the hub.
    private let run = UUID()

    private static let behind = HubError(
        .noLeader,
        "This hub is one of two, and lacks what the other one has told already. Try again in some seconds."
    )

    init(feed: SessionFeed, consent: AppConsent, devices: DeviceTable, interfaces: [String], log: Logger) {
        self.feed = feed
        self.devices = devices
        self.interfaces = interfaces
        self.log = log
        self.consent = consent
    }

    /// Registers the methods.
    func register(in router: inout MethodRouter) {
        router.on(HubMethods.hello) { (hello, session) async throws(HubError) in
            guard session.hello == nil else {
                throw HubError(.malformedMessage, "This connection has already called \(HubMethods.hello.name).")
            }
            if let mismatch = HubProtocol.mismatch(client: hello.version, hub: HubProtocol.version) { throw mismatch }
            // A reset would take the client back.
            if let seen = hello.seen, feed.isBehind(seen, of: session.user) { throw Self.behind }
            var hello = hello
            if let app = session.authority.app { hello.app = app }
            // Subscriptions come first, so that the session receives every change after its initial state.
            if let subscriptions = hello.subscriptions.take(), !session.withFilter({ $0.restore(subscriptions) }) {
                let limit = HubProtocol.subscriptionsPerConnection
                let reason =
                    "\(HubMethods.hello.name) can have at most \(limit) subscriptions, not \(subscriptions.count)."
                throw HubError(.malformedMessage, reason)
            }
            let seen = hello.seen
            // The purpose is kept as long as the connection. One scalar beyond the limit is enough to show that it was
            // longer.
            hello.purpose = String(
                String.UnicodeScalarView(hello.purpose.unicodeScalars.prefix(HomeLimits.purposeLength + 1))
            )
            hello.seen = nil
            session.hello = hello
            do throws(HubError) {
                // Requests that follow wait until the app is admitted or rejected.
                try await consent.admit(session)
            } catch {
                session.hello = nil
                throw error
            }
            let metadata: Logger.Metadata = [LogKey.client: "\(session.id)", LogKey.app: "\(hello.app)"]
            log.debug("A client connected.", metadata: metadata)
            // If the client retries requests, the results that the hub stored before a restart count as its own.
            session.former = hello.former?.client
            await feed.attach(session, seen: seen)
            // The device may have been removed before the session was among those that hear of it.
            guard !devices.isRemoved(session.authority.device) else {
                session.revoke(JoinDesk.removed)
                throw JoinDesk.removed
            }
            // The same goes for the right to be away.
            if session.authority.way == .away, session.closedHomes.count == session.roles.count {
                session.revoke(HubSession.notFromAway)
                throw HubSession.notFromAway
            }
            await consent.confirm(session)
            let visibleInterfaces = session.projection.kind.isPerson ? interfaces : nil
            return .done(
                Welcome(
                    run: run,
                    client: session.id,
                    keepsRequests: true,
                    interfaces: visibleInterfaces,
                    isAssistant: session.isAssistant ? true : nil,
                    clock: RunningClock.now
                )
            )
        }
        router.on(HubMethods.runningClock) { (_, _) async throws(HubError) in
            .done(ClockReading(clock: RunningClock.now))
        }
        router.on(HubMethods.enterBackground) { (_, session) async throws(HubError) in
            session.isInBackground = true
            return .done(Empty())
        }
        router.on(HubMethods.enterForeground) { (_, session) async throws(HubError) in
            session.isInBackground = false
            feed.refresh(session)
            return .done(Empty())
        }
    }
}
