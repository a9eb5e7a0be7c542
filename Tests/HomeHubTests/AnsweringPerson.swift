import Foundation
import HomeHub
import HubAPI

/// Somebody at another screen who answers every question the hub asks.
final class AnsweringPerson: Sendable {
    /// What the person answers.
    let answer: Watched<String>
    /// The questions that were asked.
    let asked = Watched<[Question]>([])
    private let connection: HubConnection

    init(on hub: HomeHub, answer: String) async throws {
        let answer = Watched(answer)
        let (questions, continuation) = AsyncStream.makeStream(of: Question.self)
        self.answer = answer
        connection = HubConnection(over: InProcessTransport(to: hub)) { event in
            if case .asked(let question) = event { continuation.yield(question) }
        }
        _ = try await connection.call(HubMethods.hello, Hello(app: "test.person", purpose: "Tests."))
        for question in try await connection.call(HubMethods.questions, Done()).questions {
            continuation.yield(question)
        }
        Task { [connection, asked] in
            for await question in questions {
                asked.change { $0.append(question) }
                let parameters = AnswerQuestion(id: question.id, answer: answer.value)
                _ = try? await connection.call(HubMethods.answerQuestion, parameters)
            }
        }
    }
}
