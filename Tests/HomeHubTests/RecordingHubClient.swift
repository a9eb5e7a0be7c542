import Foundation
import HomeHub
import HubAPI
import Synchronization
import Testing

/// A client that notes everything the hub tells it, in order, and can wait for something to be told.
final class RecordingHubClient: Sendable {
    enum Note: Sendable {
        case event(HubEvent)
        case reply(String)
    }

    struct Knowledge: Sendable {
        var notes: [Note] = []
        var view = HubState()
    }

    /// As which app probes greet unless told otherwise.
    static let usualApp = "test.probe"

    private let knowledge: AwaitableValue<Knowledge>
    private let connection: HubConnection
    /// What the hub said of itself.
    let welcome: Welcome

    /// Connects and says hello.
    ///
    /// - Parameters:
    ///   - user: Whose client it is, by the account, or as a probe knows them; the hub's own user unless given.
    ///   - authority: What it can do; all that a person can unless given.
    ///   - former: What a former connection knew, to go on from there.
    ///   - lost: A former connection whose replies were lost.
    ///   - log: Notes what the hub sends.
    ///   - subscriptions: What it subscribed to on a former connection.
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

    /// The probe's view of the homes.
    var view: HubState { knowledge.value.view }

    /// What was told so far.
    var notes: [Note] { knowledge.value.notes }

    /// The changes that were told so far.
    var changes: [LogChange] {
        notes.compactMap { note in
            if case .event(.change(let change)) = note { change } else { nil }
        }
    }

    /// The names of the events that were told so far.
    var events: [HubEvent.Name] {
        notes.compactMap { note in
            if case .event(let event) = note { event.name } else { nil }
        }
    }

    /// Ends the connection.
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

    /// The code of the error that a call ends in; nil when it succeeds.
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

    /// The view as soon as the condition holds.
    @discardableResult
    func until(_ condition: @escaping @Sendable (HubState) -> Bool) async throws -> HubState {
        try await knowledge.until { condition($0.view) }.view
    }
}
