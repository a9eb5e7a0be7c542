import Foundation
import HomeHub
import HomeModel
import HubAPI
import HubClient
import Synchronization

/// The test's own client of its hub. It edits the home's layout and mirrors the hub's state.
final class TestHubClient: Sendable {
    // This is a class because it owns a connection.

    /// The client's app identifier.
    static let app = "hearth.test"

    private let codes: SetupCodeResponder
    private let people: PeopleResponder
    private let current = Mutex<HubMirror?>(nil)

    init(codes: SetupCodeResponder, people: PeopleResponder) {
        self.codes = codes
        self.people = people
    }

    /// Connects to a hub, in place of the previous one, and starts answering its questions.
    func connect(to hub: HomeHub) async throws {
        let (questions, questionContinuation) = AsyncStream.makeStream(of: Question.self)
        let authority = SessionAuthority(user: hub.owner.user, device: hub.owner.device, client: .person)
        let connection = try await HubMirror(
            over: InProcessTransport(to: hub, as: authority),
            app: Self.app,
            purpose: "To lay out a test's home.",
            onEvent: { if case .asked(let question) = $0 { questionContinuation.yield(question) } },
            onClose: { questionContinuation.finish() }
        )
        current.withLock { $0 = connection }
        _ = try await call(HubMethods.questions, Empty())
        Task { [codes, people] in
            for await question in questions { await Self.answer(question, codes, people, connection) }
        }
    }

    /// Answers in place of the user: about setup codes and users as the test specifies, and otherwise as the hub
    /// suggests.
    private static func answer(
        _ question: Question,
        _ codes: SetupCodeResponder,
        _ people: PeopleResponder,
        _ connection: HubMirror
    ) async {
        let answer: AnswerQuestion
        switch question.kind {
        case .setupCode:
            guard let code = codes.answer(about: question.deviceID) else {
                _ = try? await connection.call(HubMethods.declineQuestion, QuestionTarget(id: question.id))
                return
            }
            answer = AnswerQuestion(id: question.id, answer: code)
        case .invitation, .people:
            guard let answers = people.answers(to: question) else {
                _ = try? await connection.call(HubMethods.declineQuestion, QuestionTarget(id: question.id))
                return
            }
            answer = AnswerQuestion(id: question.id, answers: answers)
        case .accessory, .uncertifiedAccessory, .accessoryDetails, .home, .invitationLink:
            let suggestions = question.fields.map { ($0.id, $0.suggestion ?? $0.choices.first?.value ?? "") }
            answer = AnswerQuestion(
                id: question.id,
                answer: suggestions.first?.1,
                answers: Dictionary(suggestions.dropFirst()) { first, _ in first }
            )
        default:
            return
        }
        // This fails if the question was closed in the meantime, in which case the answer isn't needed.
        _ = try? await connection.call(HubMethods.answerQuestion, answer)
    }

    /// The state that the hub reported; empty before the first connection.
    var state: HubState { current.withLock { $0?.state } ?? HubState() }

    /// Calls a hub method.
    func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters
    ) async throws -> Result {
        guard let connection = current.withLock(\.self) else { throw TestHomeError("The hub hasn't been started.") }
        return try await connection.call(method, parameters)
    }
}
