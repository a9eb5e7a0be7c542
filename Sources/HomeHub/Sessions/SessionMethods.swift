import Foundation
import HomeModel
import HubAPI
import Logging

/// The first method of every session, and those by which a client tells whether it is in front of anybody.
struct SessionMethods: HubPart {
    let feed: SessionFeed
    let consent: AppConsent
    private let log: Logger
    /// Tells this start of the hub from others.
    private let run = UUID()

    init(feed: SessionFeed, consent: AppConsent, log: Logger) {
        self.feed = feed
        self.log = log
        self.consent = consent
    }

    /// Registers the methods.
    func register(in router: inout MethodRouter) {
        router.on(HubMethods.hello) { (hello, session) async throws(HubError) in
            guard session.hello == nil else {
                throw HubError(.malformedMessage, "This connection has said hello already.")
            }
            if let mismatch = HubProtocol.mismatch(client: hello.version, hub: HubProtocol.version) { throw mismatch }
            var hello = hello
            if let app = session.authority.app { hello.app = app }
            // Before the session hears of anything, so that it hears of every change after the state that it is shown.
            if let subscriptions = hello.subscriptions.take(), !session.withFilter({ $0.restore(subscriptions) }) {
                let limit = HubProtocol.subscriptionsPerConnection
                let reason = "A greeting with \(subscriptions.count) subscriptions has more than \(limit)."
                throw HubError(.malformedMessage, reason)
            }
            let seen = hello.seen
            // It is kept as long as the connection lasts: no more than shows that there was more than a person is shown.
            hello.purpose = String(
                String.UnicodeScalarView(hello.purpose.unicodeScalars.prefix(HomeLimits.purposeLength + 1))
            )
            hello.seen = nil
            session.hello = hello
            do throws(HubError) {
                // Requests that follow wait until it is known whether the app may.
                try await consent.admit(session)
            } catch {
                session.hello = nil
                throw error
            }
            let metadata: Logger.Metadata = [LogKey.client: "\(session.id)", LogKey.app: "\(hello.app)"]
            log.debug("A client has come.", metadata: metadata)
            // What an earlier start of the hub stored for it is answered to it when it asks again.
            session.former = hello.former?.client
            await feed.attach(session, seen: seen)
            await consent.confirm(session)
            return .done(Welcome(run: run, client: session.id, keepsRequests: true))
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
