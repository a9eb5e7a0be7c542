import Foundation
import HomeHub
import HubAPI
import PeerProcess
import Synchronization
import Testing

/// A client that records every message from the hub in order, and can wait for messages.
final class RecordingHubClient: Sendable {
    enum Message: Sendable {
        case event(HubEvent)
        case reply(String)
    }

    struct Recording: Sendable {
        var messages: [Message] = []
        var view = HubState()
    }

    /// The default app identifier.
    static let defaultApp = "test.probe"

    private let recording: AwaitableValue<Recording>
    private let connection: HubConnection
    /// The hub's introduction.
    let welcome: Welcome

    /// Connects and calls `session.hello`.
    ///
    /// - Parameters:
    ///   - user: The client's user, as an account or as another client knows them; by default the hub's own user.
    ///   - authority: The client's permissions, by default those of a user.
    ///   - previous: The state of a previous connection to resume from.
    ///   - lost: A previous connection whose replies were lost.
    ///   - log: A log for the messages from the hub.
    ///   - subscriptions: The subscriptions of a previous connection.
    ///   - isAssistant: Whether the client introduces itself as an AI assistant.
    ///   - agent: The introduction of an agent's own session.
    init(
        to hub: HomeHub,
        as user: UUID? = nil,
        with authority: SessionAuthority? = nil,
        app: String = RecordingHubClient.defaultApp,
        after previous: HubState? = nil,
        lost: PreviousConnection? = nil,
        log: WireLog? = nil,
        subscriptions: CharacteristicSet? = nil,
        isAssistant: Bool? = nil,
        agent: AgentIntroduction? = nil
    ) async throws {
        let recording = AwaitableValue(Recording(view: previous ?? HubState()))
        self.recording = recording
        var account: UUID?
        if let user {
            let known = await hub.account(user)
            account = known == user ? await hub.account(user, to: app) : known
        }
        let transport = NotingTransport(to: hub, as: authority ?? .person(account, on: hub), log)
        let connection = HubConnection(over: transport) { event in
            recording.change {
                $0.view.apply(event)
                $0.messages.append(.event(event))
            }
        }
        self.connection = connection
        let hello = Hello(
            app: app,
            purpose: "Tests.",
            seen: previous?.seen,
            former: lost,
            subscriptions: subscriptions,
            isAssistant: isAssistant,
            agent: agent
        )
        welcome = try await connection.call(HubMethods.hello, hello)
        recording.change { $0.messages.append(.reply(HubMethods.hello.name)) }
    }

    /// The client's view of the homes.
    var view: HubState { recording.value.view }

    /// The messages received so far.
    var messages: [Message] { recording.value.messages }

    /// The changes received so far.
    var changes: [LogChange] {
        messages.compactMap { message in
            if case .event(.change(let change)) = message { change } else { nil }
        }
    }

    /// The names of the events received so far.
    var events: [HubEvent.Name] {
        messages.compactMap { message in
            if case .event(let event) = message { event.name } else { nil }
        }
    }

    /// The messages of other devices received so far.
    var deviceMessages: [DeviceMessage] {
        messages.compactMap { message in
            if case .event(.deviceMessage(let message)) = message { message } else { nil }
        }
    }

    /// Waits until the names of the events received so far meet a condition.
    func untilEvents(_ condition: @escaping @Sendable ([HubEvent.Name]) -> Bool) async throws {
        try await recording.until { recording in
            condition(
                recording.messages.compactMap { message in
                    if case .event(let event) = message { event.name } else { nil }
                }
            )
        }
    }

    /// Closes the connection.
    func close() { connection.close() }

    func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters
    ) async throws -> Result {
        let result = await withCheckedContinuation { continuation in
            connection.call(method, parameters) { [recording] result in
                recording.change { $0.messages.append(.reply(method.name)) }
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
        try await recording.until { condition($0.view) }.view
    }
}
