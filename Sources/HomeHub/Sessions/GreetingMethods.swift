import Foundation
import HubAPI

/// The first method of every session, and those by which a client tells whether it is in front of anybody.
struct GreetingMethods: Sendable {
    let database: HomeDatabase
    /// Tells this start of the hub from others.
    private let run = UUID()

    init(database: HomeDatabase) {
        self.database = database
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
            guard !hello.app.isEmpty else {
                throw HubError(.appNotAllowed, "An app has to say who it is: give it an identifier.")
            }
            session.hello = hello
            await database.attach(session, seen: hello.seen)
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
