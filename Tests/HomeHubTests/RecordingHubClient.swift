import Foundation
import HomeHub
import HubAPI
import Synchronization
import Testing

/// A client that records every message from the hub in order, and can wait for messages.
final class RecordingHubClient: Sendable {
    enum Note: Sendable {
        case event(HubEvent)
        case reply(String)
    }

    struct Knowledge: Sendable {
        var notes: [Note] = []
        var view = HubState()
    }

    /// The default app identifier.
    static let usualApp = "test.probe"

    private let knowledge: AwaitableValue<Knowledge>
    private let connection: HubConnection
    /// The hub's introduction.
    let welcome: Welcome

    /// Connects and calls `session.hello`.
    ///
    /// - Parameters:
    ///   - user: The client's user, as an account or as another client knows them; by default the hub's own user.
    ///   - authority: The client's permissions, by default those of a user.
    ///   - former: The state of a previous connection to resume from.
    ///   - lost: A previous connection whose replies were lost.
    ///   - log: A log for the messages from the hub.
    ///   - subscriptions: The subscriptions of a previous connection.
    init(
        to hub: HomeHub,
        as user: UUID? = nil,
        with authority: SessionAuthority? = nil,
        app: String = RecordingHubClient.usualApp,
        after former: HubState? = nil,
        lost: PreviousConnection? = nil,
        log: WireLog? = nil,
        subscriptions: CharacteristicSet? = nil
    ) async throws {
        let knowledge = AwaitableValue(Knowledge(view: former ?? HubState()))
        self.knowledge = knowledge
        let account: UUID? = if let user { await hub.account(user) } else { nil }
        let transport = NotingTransport(to: hub, as: authority ?? .person(account, on: hub), log)
        let connection = HubConnection(over: transport) { event in
            knowledge.change {
                $0.view.apply(event)
                $0.notes.append(.event(event))
            }
        }
        self.connection = connection
        let hello = Hello(
            app: app,
            purpose: "Tests.",
            seen: former?.seen,
            former: lost,
            subscriptions: subscriptions
        )
        welcome = try await connection.call(HubMethods.hello, hello)
        knowledge.change { $0.notes.append(.reply(HubMethods.hello.name)) }
    }

    /// The client's view of the homes.
    var view: HubState { knowledge.value.view }

    /// The messages received so far.
    var notes: [Note] { knowledge.value.notes }

    /// The changes received so far.
    var changes: [LogChange] {
        notes.compactMap { note in
            if case .event(.change(let change)) = note { change } else { nil }
        }
    }

    /// The names of the events received so far.
    var events: [HubEvent.Name] {
        notes.compactMap { note in
            if case .event(let event) = note { event.name } else { nil }
        }
    }

    /// Closes the connection.
    func close() { connection.close() }

    func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters
    ) async throws -> Result {
        let result = await withCheckedContinuation { continuation in
            connection.call(method, parameters) { [knowledge] result in
                knowledge.change { $0.notes.append(.reply(method.name)) }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

    /// Makes a call, and returns the error's code if it fails, otherwise `nil`.
    func refusal<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters
    ) async throws -> String? {
        do {
            _ = try await call(method, parameters)
            return nil
        } catch let error as HubError {
            return error.code.rawValue
        }
    }

    /// Waits until the condition holds, and returns the view.
    @discardableResult
    func until(_ condition: @escaping @Sendable (HubState) -> Bool) async throws -> HubState {
        try await knowledge.until { condition($0.view) }.view
    }
}
