import Foundation
import HomeHub
import HomeModel
import HubAPI
import Synchronization

/// The test's own client of its hub: lays the home out, and knows what the hub knows.
final class Keeper: Sendable {
    // A class, because it has a connection.

    private final class Knowledge: Sendable {
        // A class, because the connection's handler outlives what makes it.
        let state = Mutex(HubState())
    }

    private let knowledge: Knowledge
    private let connection: HubConnection

    init(of hub: HomeHub) async throws {
        let knowledge = Knowledge()
        self.knowledge = knowledge
        connection = HubConnection(over: InProcessTransport(to: hub)) { event in
            knowledge.state.withLock { $0.apply(event) }
        }
        _ = try await call(HubMethods.hello, Hello(app: "hearth.test", purpose: "To lay out a test's home."))
    }

    /// What the hub tells.
    var state: HubState { knowledge.state.withLock { $0 } }

    /// Calls a method of the hub.
    func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters
    ) async throws -> Result {
        try await connection.call(method, parameters)
    }
}
