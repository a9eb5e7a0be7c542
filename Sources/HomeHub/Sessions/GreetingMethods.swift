import Foundation
import HubAPI

/// The first method of every session, and those by which a client tells whether it is in front of anybody.
struct GreetingMethods: Sendable {
    let database: HomeDatabase
    let consent: AppConsent
    /// Tells this start of the hub from others.
    private let run = UUID()

    init(database: HomeDatabase, consent: AppConsent) {
        self.database = database
        self.consent = consent
    }

    /// Registers the methods.
    func register(in router: inout MethodRouter) {
        router.on(HubMethods.hello) { (hello, session) async throws(HubError) in
            guard session.hello == nil else {
                throw HubError(.malformedMessage, "This connection has said hello already.")
            }
            guard abs(hello.version - HubProtocol.version) <= 1 else {
                let versions = "The app speaks version \(hello.version), the hub \(HubProtocol.version)"
                throw HubError(.versionMismatch, "\(versions); update the older of the two.")
            }
            session.hello = hello
            do throws(HubError) {
                // Requests that follow wait until it is known whether the app may.
                try await consent.admit(session)
            } catch {
                session.hello = nil
                throw error
            }
            await database.attach(session, seen: hello.seen)
            await consent.confirm(session)
            return .done(Welcome(run: run))
        }
        router.on(HubMethods.enterBackground) { (_, session) async throws(HubError) in
            session.isInBackground = true
            return .done(Done())
        }
        router.on(HubMethods.enterForeground) { (_, session) async throws(HubError) in
            session.isInBackground = false
            await database.refresh(session)
            return .done(Done())
        }
    }
}
