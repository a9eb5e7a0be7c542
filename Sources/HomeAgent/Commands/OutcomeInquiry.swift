import Foundation
import HubAPI
import HubClient
import Synchronization

/// Asks a hub again what came of a command, under the same key, on a connection of its own.
enum OutcomeInquiry {
    /// What came of a command.
    enum Outcome: Sendable {
        /// The hub's reply.
        case known(HubReply)
        /// The hub has started again since, or it is the other one of two, so it doesn't know.
        case forgotten
        /// The hub couldn't be asked.
        case unreached
    }

    private static let (hello, command) = (1, 2)

    /// Asks a hub.
    ///
    /// - Parameters:
    ///   - seen: What the copy has, so that the hub need not send the homes.
    ///   - time: How long the hub has to answer.
    static func ask(
        _ lost: LostCommand,
        over transport: any HubTransport,
        seen: LogCursors?,
        within time: Duration
    ) async -> Outcome {
        var hello = lost.hello
        (hello.seen, hello.former, hello.subscriptions) = (seen, nil, nil)
        guard let parameters = try? MessageJSON.encode(hello) else { return .unreached }
        let greeting = HubRequest(id: Self.hello, method: HubMethods.hello.name, parameters: parameters)
        var again = lost.request
        again.id = Self.command
        let request = again
        let outcome = await withCheckedContinuation { continuation in
            let waiting = Mutex<CheckedContinuation<Outcome, Never>?>(continuation)
            let finish: @Sendable (Outcome) -> Void = { outcome in
                waiting.withLock { $0.take() }?.resume(returning: outcome)
            }
            transport.open { message in
                switch message {
                case .reply(Self.hello, let reply):
                    guard case .success(let body) = reply.result,
                        let welcome = try? MessageJSON.decode(Welcome.self, from: body), welcome.mismatch == nil
                    else { return finish(.unreached) }
                    guard welcome.run == lost.run else { return finish(.forgotten) }
                    transport.send(request)
                case .reply(Self.command, let reply): finish(.known(reply))
                case .closed: finish(.unreached)
                default: break
                }
            }
            transport.send(greeting)
            RetryPolicy.standard.wait(time) { finish(.unreached) }
        }
        transport.close()
        return outcome
    }
}
