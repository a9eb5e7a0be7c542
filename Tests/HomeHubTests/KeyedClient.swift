import Foundation
import HomeHub
import HubAPI
import PeerProcess
import Testing

/// A client that sends its requests with keys and reports the entries that their replies depend on.
struct KeyedClient: Sendable {
    let connection: HubConnection
    let view: AwaitableValue<HubState>

    init(to hub: HomeHub, app: String = "test", as user: UUID? = nil, with authority: SessionAuthority? = nil)
        async throws
    {
        let view = AwaitableValue(HubState())
        let connection = HubConnection(over: InProcessTransport(to: hub, as: authority ?? .person(user, on: hub))) {
            event in
            view.change { $0.apply(event) }
        }
        _ = try await connection.call(HubMethods.hello, Hello(app: app, purpose: "Tests."))
        self.view = view
        self.connection = connection
    }

    func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters
    ) async throws -> Result {
        try await make(EncodedCall(method, parameters, key: UUID()))
    }

    /// Makes a call that may have been made before, even before a restart of the hub.
    func make<Parameters, Result>(_ call: EncodedCall<Parameters, Result>) async throws -> Result {
        try await reply(to: call).result
    }

    /// Returns the reply, the entries that it depends on, and whether the client's state included them when it arrived.
    func reply<Parameters, Result>(
        to call: EncodedCall<Parameters, Result>
    ) async throws -> (result: Result, follows: [LogPlace], isShown: Bool) {
        let (reply, follows, isShown) = await withCheckedContinuation { continuation in
            connection.call(call) { reply, follows in
                continuation.resume(returning: (reply, follows, view.value.shows(follows)))
            }
        }
        return (try reply.get(), follows, isShown)
    }

    func refusal<Parameters, Result>(of call: EncodedCall<Parameters, Result>) async throws -> HubError.Code? {
        let error = await #expect(throws: HubError.self) { try await make(call) }
        return error?.code
    }
}
