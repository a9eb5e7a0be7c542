import Foundation
import HubAPI
import HubServer
import Synchronization

/// A hub that records its requests and answers them as a test specifies.
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

        func pauseEvents() {
            hub.note(.fellBehind(number))
        }

        func resumeEvents() {
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

    /// Creates a hub. By default it answers each request with the request's own parameters.
    init(
        answer: @escaping @Sendable (HubRequest, Deliver) -> Void = { request, deliver in
            deliver(.reply(id: request.id, .success(request.parameters)))
        }
    ) {
        self.answer = answer
        (happenings, continuation) = AsyncStream.makeStream()
    }

    func acceptConnection(on executor: (any TaskExecutor)?, deliver: @escaping Deliver) -> any RPCSession {
        let number = state.withLock { state in
            state.deliveries.append(deliver)
            return state.deliveries.count
        }
        note(.accepted(number))
        return Session(number: number, hub: self, deliver: deliver)
    }

    /// Sends a message on the connection with a number, counted from 1.
    func deliver(_ message: HubMessage, to number: Int) {
        state.withLock { $0.deliveries[number - 1] }(message)
    }

    /// Waits for an occurrence.
    func wait(for isWanted: (Happening) -> Bool) async {
        for await happening in happenings where isWanted(happening) { return }
    }

    private func note(_ happening: Happening) {
        continuation.yield(happening)
    }
}
