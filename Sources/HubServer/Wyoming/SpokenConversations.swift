import Foundation
import HomeHub
import HomeModel
import HubAPI
import HubClient
import Synchronization
import Wyoming

/// The conversations of voice satellites with the hub.
///
/// All of them share one session. A question which of several things is meant becomes the answer to the sentence, and the
/// next sentence of the conversation may answer it. A question whether to unlock or open something becomes the answer too,
/// but only the user can answer it, at another client: anybody near a satellite, even outside a window, can say yes.
final class SpokenConversations: Sendable {
    // This is a class because all connections share the session and the open questions.

    /// The identifier of the satellites' session as an app.
    static let app = "hearth.wyoming"

    /// Something that happens to a sentence.
    private enum Step: Sendable {
        case asked(Question)
        case done(Result<Said, HubError>)
    }

    /// A sentence that waits for the answer to a question.
    private struct Open {
        var reference: String
        var question: Question
        var steps: AsyncStream<Step>
    }

    private struct State {
        var link: (user: UUID, driver: LinkDriver)?
        /// The sentences that are being carried out, by reference.
        var sentences: [String: AsyncStream<Step>.Continuation] = [:]
        /// The sentences with an open question, by conversation. The hub limits a session's open questions.
        var open: [String: Open] = [:]
    }

    private let hub: HomeHub
    private let user: String?
    private let state = Mutex(State())

    /// Creates conversations.
    ///
    /// - Parameter user: The name of the user who speaks; `nil` for the hub's own user.
    init(with hub: HomeHub, as user: String?) {
        self.hub = hub
        self.user = user
    }

    /// Carries out a sentence.
    ///
    /// - Parameter conversation: The ID of the conversation.
    func answer(_ sentence: WyomingSession.Sentence, in conversation: String) async -> WyomingSession.Answer {
        do throws(HubError) {
            let link = try await link()
            if !sentence.isDryRun, let open = state.withLock({ $0.open[conversation] }), !open.question.isConfirmation {
                forget(open, in: conversation)
                if try await isAnswered(open.question, by: sentence.text, link) {
                    return await answer(after: open.steps, open.reference, in: conversation)
                }
            }
            return try await say(sentence, link, in: conversation)
        } catch {
            return WyomingSession.Answer(isHandled: false, text: error.reason)
        }
    }

    /// Ends the session. Open questions end with it.
    func stop() {
        let link = state.withLock { state in
            defer { state.link = nil }
            return state.link
        }
        link?.driver.close()
    }

    // MARK: Sentences

    private func say(
        _ sentence: WyomingSession.Sentence,
        _ link: LinkDriver,
        in conversation: String
    ) async throws(HubError) -> WyomingSession.Answer {
        // The session must receive questions before the sentence asks one, also right after it has connected.
        _ = try await link.call(HubMethods.questions, Empty())
        let reference = UUID().uuidString
        let (steps, continuation) = AsyncStream.makeStream(of: Step.self)
        state.withLock { $0.sentences[reference] = continuation }
        let parameters = Say(
            sentence.text,
            language: sentence.language ?? Self.standardLanguage,
            isDryRun: sentence.isDryRun ? true : nil,
            reference: reference
        )
        link.call(HubMethods.say, parameters) { [self] result in
            state.withLock { state in
                state.sentences[reference] = nil
                // Somebody answered on the page, or nobody in time.
                state.open = state.open.filter { $0.value.reference != reference }
            }
            continuation.yield(.done(result))
            continuation.finish()
        }
        return await answer(after: steps, reference, in: conversation)
    }

    /// Waits for the next question about a sentence, or for its end.
    private func answer(
        after steps: AsyncStream<Step>,
        _ reference: String,
        in conversation: String
    ) async -> WyomingSession.Answer {
        for await step in steps {
            switch step {
            case .asked(let question):
                state.withLock { state in
                    guard state.sentences[reference] != nil else { return }
                    state.open[conversation] = Open(reference: reference, question: question, steps: steps)
                }
                return WyomingSession.Answer(isHandled: true, text: question.text)
            case .done(.success(let said)):
                return WyomingSession.Answer(said)
            case .done(.failure(let error)):
                return WyomingSession.Answer(isHandled: false, text: error.reason)
            }
        }
        return WyomingSession.Answer(isHandled: false, text: "")
    }

    private static let standardLanguage = "en"

    // MARK: Questions

    private func forget(_ open: Open, in conversation: String) {
        state.withLock { state in
            if state.open[conversation]?.reference == open.reference { state.open[conversation] = nil }
        }
    }

    /// Answers a question with a sentence if it names one of the choices; otherwise declines it, because the speaker has
    /// moved on.
    private func isAnswered(
        _ question: Question,
        by text: String,
        _ link: LinkDriver
    ) async throws(HubError) -> Bool {
        do throws(HubError) {
            guard let choice = question.choice(namedIn: text) else {
                _ = try await link.call(HubMethods.declineQuestion, QuestionTarget(id: question.id))
                return false
            }
            _ = try await link.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answer: choice))
            return true
        } catch {
            // Somebody else answered, or the question expired.
            return false
        }
    }

    private func receive(_ event: HubEvent) {
        guard case .asked(let question) = event, let reference = question.reference else { return }
        _ = state.withLock { $0.sentences[reference] }?.yield(.asked(question))
    }

    // MARK: The session

    /// Returns the session of the user. The name is looked up each time, because users come and go.
    private func link() async throws(HubError) -> LinkDriver {
        let id = try await hub.user(named: user)
        let (link, former) = state.withLock { state -> (LinkDriver, LinkDriver?) in
            if let link = state.link, link.user == id { return (link.driver, nil) }
            let authority = SessionAuthority(user: id, device: hub.owner.device, client: .person)
            let driver = LinkDriver(
                LinkDriver.Configuration(
                    transport: { [hub] in InProcessTransport(to: hub, as: authority) },
                    retry: .standard
                )
            )
            defer { state.link = (id, driver) }
            return (driver, state.link?.driver)
        }
        former?.close()
        link.open(
            as: LinkDriver.Client(
                greeting: { _ in
                    // Only questions matter. Events about the homes' state pause in the background.
                    LinkDriver.Greeting(Hello(app: Self.app, purpose: "Voice satellites."), isInBackground: true)
                },
                onEvent: { [weak self] in self?.receive($0) },
                onWelcome: { [weak link] _, _ in link?.call(HubMethods.questions, Empty()) { _ in } }
            )
        )
        return link
    }
}

extension WyomingSession.Answer {
    /// Creates the answer to a sentence from the hub's.
    fileprivate init(_ said: Said) {
        let isHandled = [.done, .answered, .partlyDone].contains(said.outcome) || said.isQuestion
        self.init(isHandled: isHandled, text: said.answer, intent: said.kind)
    }
}

extension Said {
    /// Whether a dry run would ask something.
    fileprivate var isQuestion: Bool { outcome == .unconfirmed }

    /// The kind of what the sentence asks for.
    fileprivate var kind: String {
        guard let request = requests.first else { return isQuestion ? "question" : "" }
        if request.date != nil { return "schedule" }
        if request.writes != nil { return "write" }
        return request.scenes == nil ? "read" : "scene"
    }
}

extension Question {
    /// Whether somebody has to agree to something.
    fileprivate var isConfirmation: Bool {
        fields.first?.choices.map(\.value) == [QuestionField.yes, QuestionField.no]
    }

    /// Returns the value of the one choice that a sentence names, or a part of whose name it is; `nil` if none or several
    /// fit.
    fileprivate func choice(namedIn sentence: String) -> String? {
        let words = FoldedName(sentence.trimmingCharacters(in: .whitespaces.union(.punctuationCharacters))).text
        guard !words.isEmpty else { return nil }
        let choices = (fields.first?.choices ?? []).map { ($0.value, FoldedName($0.label).text) }
        for fits in [{ words == $0 }, { words.contains($0) }, { $0.contains(words) }] as [(String) -> Bool] {
            let matching = choices.filter { fits($0.1) }
            if matching.count == 1 { return matching[0].0 }
        }
        return nil
    }
}
