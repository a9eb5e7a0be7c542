import Dispatch
import Foundation
import HomeModel
import HubAPI
import HubClient
import LocalRPC
import PeerProcess

/// An app's connection to a hub or an agent, which records all that it is told.
final class RecordingClient: Sendable {
    // This is a class because it owns a connection.

    /// What a client was told.
    struct Recording: Sendable {
        var events: [HubEvent] = []
        var state = HubState()
        var welcomes: [Welcome] = []
        var isClosed = false
        /// Why the hub or the agent doesn't let the app in.
        var denial: HubError?
        /// The number of welcomes, replies and losses, in words, in their order among the events.
        var notes: [String] = []
    }

    private let link: LinkDriver
    let recording: AwaitableValue<Recording>

    /// Connects.
    ///
    /// - Parameters:
    ///   - transport: The way to the hub or the agent.
    ///   - retries: Whether the client connects again, as apps do.
    init(
        app: String = "com.example.lights",
        retries: Bool = false,
        seen: LogCursors? = nil,
        former: PreviousConnection? = nil,
        subscriptions: CharacteristicSet? = nil,
        over transport: @escaping @Sendable () -> any HubTransport
    ) {
        let recording = AwaitableValue(Recording())
        self.recording = recording
        let queue = DispatchQueue(label: "test.client")
        let retry = RetryPolicy(delay: { _ in .milliseconds(5) }, wait: RetryPolicy.standard.wait)
        link = LinkDriver(
            LinkDriver.Configuration(
                transport: transport,
                retry: retries ? retry : nil,
                execute: { work in queue.async { work() } }
            )
        )
        link.open(
            as: LinkDriver.Client(
                greeting: { previous in
                    let seen = recording.value.state.seen ?? seen
                    return LinkDriver.Greeting(
                        Hello(
                            app: app,
                            purpose: "Tests.",
                            seen: seen,
                            former: previous ?? former,
                            subscriptions: subscriptions
                        )
                    )
                },
                onEvent: { event in
                    recording.change { recording in
                        recording.state.apply(event)
                        recording.events.append(event)
                        recording.notes.append(Self.note(event))
                    }
                },
                onWelcome: { welcome, _ in
                    recording.change { recording in
                        recording.welcomes.append(welcome)
                        recording.notes.append("welcome")
                    }
                },
                onDenial: { error in recording.change { $0.denial = error } },
                onLoss: { error, _ in
                    recording.change { recording in
                        recording.state.clearStandings()
                        recording.isClosed = true
                        recording.denial = recording.denial ?? error
                        recording.notes.append("loss")
                    }
                }
            )
        )
    }

    private static func note(_ event: HubEvent) -> String {
        switch event {
        case .change(let change): "change \(change.change.verb.rawValue)\(change.isMine ? " mine" : "")"
        case .standing(let standing): "standing \(standing.state.rawValue)"
        default: event.method
        }
    }

    var state: HubState { recording.value.state }
    var notes: [String] { recording.value.notes }
    var changes: [LogChange] {
        recording.value.events.compactMap { if case .change(let change) = $0 { change } else { nil } }
    }

    /// What the welcomes told the person.
    var welcomeNotices: [String] { recording.value.welcomes.flatMap { $0.notices ?? [] } }

    /// Waits until the client is welcomed.
    @discardableResult
    func welcome(_ count: Int = 1) async throws -> Welcome {
        let recording = try await recording.until { $0.welcomes.count >= count }
        return recording.welcomes[count - 1]
    }

    /// Waits until the client isn't let in, and returns why.
    func denial() async throws -> HubError.Code? {
        try await recording.until { $0.denial != nil }.denial?.code
    }

    @discardableResult
    func until(_ condition: @escaping @Sendable (HubState) -> Bool) async throws -> HubState {
        try await recording.until { condition($0.state) }.state
    }

    func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters
    ) async throws(HubError) -> Result {
        try await link.call(method, parameters)
    }

    /// Returns the code of the error with which a call fails; `nil` if it succeeds.
    func refusal<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters
    ) async -> HubError.Code? {
        do throws(HubError) {
            _ = try await call(method, parameters)
            return nil
        } catch {
            return error.code
        }
    }

    func close() { link.close() }
}

extension HubState {
    /// Everything that the logs say, in a form that can be compared: the same for the hub's state and for a copy.
    var canonical: [String: [String]] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            func text(_ records: [some Encodable]) throws -> [String] {
                try records.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
            }
            var result = ["account": try text(account.records)]
            for (id, home) in homes {
                result[id.uuidString] =
                    try text(home.records) + ["viewer \(home.viewer?.uuidString ?? "")"]
                    + ["at \(String(describing: seen?.homes[id]))"]
            }
            return result
        }
    }
}
