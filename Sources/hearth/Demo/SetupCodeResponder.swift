import AccessorySimulator
import Foundation
import HAP
import HubAPI
import HubClient
import Synchronization

/// Reads the labels of the demo's accessories, as a person would who has them at hand: tells them from others on the
/// network, and answers the hub's questions for their set-up codes.
final class SetupCodeResponder: Sendable {
    // A class, because it is a connection that is closed once.

    /// Tells that one more of the demo's accessories has come into sight.
    let sightings: AsyncStream<Void>
    private let connection: HubConnection
    private let own: Names

    private final class Names: Sendable {
        let byIdentity = Mutex<[UUID: String]>([:])
    }

    /// Connects and answers whatever is asked from now on.
    ///
    /// - Parameters:
    ///   - socket: The hub's socket.
    ///   - accessories: The demo's accessories.
    init(socket: String, accessories: [RunningAccessory]) async throws(HubError) {
        let labels = Dictionary(
            accessories.map { ($0.deviceID.description, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let (questions, continuation) = AsyncStream.makeStream(of: Question.self)
        let (sightings, sighted) = AsyncStream.makeStream(of: Void.self)
        let own = Names()
        self.sightings = sightings
        self.own = own
        connection = HubConnection(over: UnixSocketTransport(path: socket)) { event in
            switch event {
            case .asked(let question): continuation.yield(question)
            case .discovered(let found):
                guard let label = labels[found.deviceID] else { return }
                own.byIdentity.withLock { $0[found.id] = label.name }
                sighted.yield()
            default: break
            }
        } onClose: { _ in
            continuation.finish()
            sighted.finish()
        }
        let hello = Hello(app: "hearth.demo.labels", purpose: "Reads the labels of the demo's accessories.")
        _ = try await connection.call(HubMethods.hello, hello)
        _ = try await connection.call(HubMethods.startBrowsing, Empty())
        for question in try await connection.call(HubMethods.questions, Empty()).questions {
            continuation.yield(question)
        }
        Task { [connection] in
            for await question in questions {
                guard question.kind == .setupCode, let label = question.deviceID.flatMap({ labels[$0] }) else {
                    continue
                }
                // A refusal shows where the addition fails.
                _ = try? await connection.call(
                    HubMethods.answerQuestion,
                    AnswerQuestion(id: question.id, answer: label.setupCode.dashed)
                )
            }
        }
    }

    /// The name on the label of the accessory that is shown under an identity; nil for one that is not the demo's.
    func name(of identity: UUID) -> String? {
        own.byIdentity.withLock { $0[identity] }
    }

    /// Ends the connection.
    func close() {
        connection.close()
    }
}
