import Foundation
import HomeHub
import HubAPI
import PeerProcess

/// A client on another screen that answers every question of the hub.
final class QuestionResponder: Sendable {
    /// A closure that returns the answers to a question, except for fields whose suggestion is accepted; `nil` to
    /// decline.
    typealias Reply = @Sendable (Question) -> [String: String]?

    /// The questions that the hub asked.
    let asked = AwaitableValue<[Question]>([])
    /// The IDs of the questions that are closed.
    let closed = AwaitableValue<Set<UUID>>([])
    private let connection: HubConnection

    /// Creates a client that gives the same answer to every question.
    convenience init(on hub: HomeHub, answer: String) async throws {
        try await self.init(on: hub) { question in question.fields.first.map { [$0.id: answer] } }
    }

    /// Creates a client that answers with `reply`.
    init(on hub: HomeHub, app: String = "test.person", reply: @escaping Reply) async throws {
        let (questions, continuation) = AsyncStream.makeStream(of: Question.self)
        connection = HubConnection(over: InProcessTransport(to: hub, as: .person(on: hub))) { [closed] event in
            switch event {
            case .asked(let question): continuation.yield(question)
            case .questionClosed(let id): closed.change { $0.insert(id) }
            default: break
            }
        }
        _ = try await connection.call(HubMethods.hello, Hello(app: app, purpose: "Tests."))
        for question in try await connection.call(HubMethods.questions, Empty()).questions {
            continuation.yield(question)
        }
        Task { [connection, asked] in
            for await question in questions {
                asked.change { $0.append(question) }
                if let answers = reply(question) {
                    let parameters = AnswerQuestion(id: question.id, answers: answers)
                    _ = try? await connection.call(HubMethods.answerQuestion, parameters)
                } else {
                    _ = try? await connection.call(HubMethods.declineQuestion, QuestionTarget(id: question.id))
                }
            }
        }
    }
}
