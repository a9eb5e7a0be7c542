import AccessorySimulator
import Foundation
import HAP
import HubAPI
import HubClient
import LocalRPCSockets
import Synchronization

/// Answers the hub's questions for the setup codes of the demo's accessories, like a user who reads their labels. Also
/// tells the demo's accessories from others on the network.
final class SetupCodeResponder: Sendable {
    // This is a class because it is a connection, which is closed once.

    /// Yields when the hub discovers another of the demo's accessories.
    let discoveries: AsyncStream<Void>
    private let connection: HubMirror
    private let own: Names

    private final class Names: Sendable {
        let byIdentity = Mutex<[UUID: String]>([:])
    }

    /// Connects to the hub and answers questions until ``close()``.
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
        let (discoveries, discovered) = AsyncStream.makeStream(of: Void.self)
        let own = Names()
        self.discoveries = discoveries
        self.own = own
        connection = try await HubMirror(
            over: UnixSocketTransport(path: socket),
            app: "hearth.demo.labels",
            purpose: "Reads the labels of the demo's accessories.",
            onEvent: { event in
                switch event {
                case .asked(let question): continuation.yield(question)
                case .discovered(let found):
                    guard let label = labels[found.deviceID] else { return }
                    own.byIdentity.withLock { $0[found.id] = label.name }
                    discovered.yield()
                default: break
                }
            },
            onClose: {
                continuation.finish()
                discovered.finish()
            }
        )
        _ = try await connection.call(HubMethods.startBrowsing, Empty())
        for question in try await connection.call(HubMethods.questions, Empty()).questions {
            continuation.yield(question)
        }
        Task { [connection] in
            for await question in questions {
                guard question.kind == .setupCode, let label = question.deviceID.flatMap({ labels[$0] }) else {
                    continue
                }
                // If the hub rejects the answer, adding the accessory fails and reports it.
                _ = try? await connection.call(
                    HubMethods.answerQuestion,
                    AnswerQuestion(id: question.id, answer: label.setupCode.dashed)
                )
            }
        }
    }

    /// Returns the name of a discovered accessory, or `nil` if it isn't one of the demo's.
    func name(of identity: UUID) -> String? {
        own.byIdentity.withLock { $0[identity] }
    }

    /// Closes the connection.
    func close() {
        connection.close()
    }
}
