import Foundation
import HomeHub
import HubAPI
import PeerProcess

/// A client session that records the names of its events.
final class HubEventLog: Sendable {
    private let log = AwaitableValue<(events: [HubEvent.Name], isGreeted: Bool)>(([], false))

    /// The events so far.
    var events: [HubEvent.Name] { log.value.events }

    /// Opens a session and calls `session.hello`.
    @discardableResult
    func greet(_ hub: HomeHub, seen: LogCursors? = nil) async throws -> HubSession {
        let session = hub.accept(as: .person(on: hub)) { [log] message in
            switch message {
            case .event(let event): log.change { $0.events.append(event.name) }
            case .reply: log.change { $0.isGreeted = true }
            case .closed: break
            }
        }
        let hello = try JSONEncoder().encode(Hello(app: "test.log", purpose: "Tests.", seen: seen))
        session.receive(HubRequest(id: 1, method: HubMethods.hello.name, parameters: hello))
        try await log.until { $0.isGreeted }
        return session
    }

    /// Waits until the events satisfy a condition.
    func until(_ condition: @escaping @Sendable ([HubEvent.Name]) -> Bool) async throws {
        try await log.until { condition($0.events) }
    }
}
