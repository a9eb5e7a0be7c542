import Foundation
import HubAPI
import HubServer
import Synchronization

/// A hub that keeps what it gets and answers as the test says.
final class ScriptedHub: RPCSessionAcceptor {
    typealias Deliver = @Sendable (HubMessage) -> Void

    struct Session: RPCSession {
        let number: Int
        let hub: ScriptedHub
        let deliver: Deliver

        func receive(_ request: HubRequest) {
            hub.answer(request, deliver)
            hub.note(.received(number, request))
        }

        func fallBehind() {
            hub.note(.fellBehind(number))
        }

        func catchUp() {
            hub.note(.caughtUp(number))
        }

        func end() {
            hub.note(.ended(number))
        }
    }

    enum Happening: Hashable, Sendable {
        case accepted(Int)
        case received(Int, HubRequest)
        case fellBehind(Int)
        case caughtUp(Int)
        case ended(Int)
    }

    private struct State {
        var happenings: [Happening] = []
        var deliveries: [Deliver] = []
    }

    private let state = Mutex(State())
    private let answer: @Sendable (HubRequest, Deliver) -> Void
    let happenings: AsyncStream<Happening>
    private let continuation: AsyncStream<Happening>.Continuation

    /// Makes a hub. By default it answers each request with its own parameters.
    init(
        answer: @escaping @Sendable (HubRequest, Deliver) -> Void = { request, deliver in
            deliver(.reply(id: request.id, .success(request.parameters)))
        }
    ) {
        self.answer = answer
        (happenings, continuation) = AsyncStream.makeStream()
    }

    func acceptConnection(deliver: @escaping Deliver) -> any RPCSession {
        let number = state.withLock { state in
            state.deliveries.append(deliver)
            return state.deliveries.count
        }
        note(.accepted(number))
        return Session(number: number, hub: self, deliver: deliver)
    }

    /// Sends a message on the connection that came as the `number`th.
    func deliver(_ message: HubMessage, to number: Int) {
        state.withLock { $0.deliveries[number - 1] }(message)
    }

    /// Waits until something has happened.
    func wait(for isWanted: (Happening) -> Bool) async {
        for await happening in happenings where isWanted(happening) { return }
    }

    private func note(_ happening: Happening) {
        continuation.yield(happening)
    }
}
