import HubAPI

/// The first method of every session.
struct GreetingMethods: Sendable {
    let database: HomeDatabase

    /// Registers the method.
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
            await database.attach(session)
            return .done(Welcome())
        }
    }
}
