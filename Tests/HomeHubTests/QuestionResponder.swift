import Foundation
import HomeHub
import HubAPI

/// Somebody at another screen who answers every question the hub asks.
final class QuestionResponder: Sendable {
    /// What a person answers to a question: a value for each field that is not to take what is suggested; nil declines.
    typealias Reply = @Sendable (Question) -> [String: String]?

    /// The questions that were asked.
    let asked = AwaitableValue<[Question]>([])
    /// The questions that are over.
    let closed = AwaitableValue<Set<UUID>>([])
    private let connection: HubConnection

    /// Somebody who gives the same answer to everything.
    convenience init(on hub: HomeHub, answer: String) async throws {
        try await self.init(on: hub) { question in question.fields.first.map { [$0.id: answer] } }
    }

    /// Somebody who answers as `reply` says.
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
