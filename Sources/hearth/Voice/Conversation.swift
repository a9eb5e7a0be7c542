import Foundation
import HubAPI

/// Says sentences to the hub, and answers its questions on the terminal.
struct Conversation {
    /// The connection.
    let client: HomeClient
    /// The command's options.
    let options: ClientOptions
    /// The language's tag.
    let language: String
    /// The home; `nil` for the one that a sentence names, or else the primary home.
    let home: UUID?
    /// The room where the speaker is.
    let room: UUID?
    /// Whether nothing is to be done.
    let isDryRun: Bool

    /// Says a sentence and prints the answer.
    ///
    /// - Throws: ``CommandFailure`` with the outcome and the answer if not everything that it asks for was done.
    func say(_ text: String) async throws {
        let said = try await result(of: text)
        guard [.done, .answered].contains(said.outcome) else {
            if options.json { JSONLine(said).print() }
            throw CommandFailure(said.outcome.rawValue, said.answer)
        }
        if options.json { JSONLine(said).print() } else { ProgramOutput.line(said.answer) }
    }

    /// Reads sentences from the terminal until its end, and prints the answers.
    func run() async throws {
        while true {
            ProgramOutput.note("> ", terminator: "")
            guard let line = readLine() else { return ProgramOutput.note("") }
            let text = line.trimmingCharacters(in: .whitespaces)
            guard !text.isEmpty else { continue }
            do throws(HubError) {
                let said = try await result(of: text)
                if options.json { JSONLine(said).print() } else { ProgramOutput.line(said.answer) }
            } catch {
                ProgramOutput.note(error.reason)
            }
        }
    }

    private func result(of text: String) async throws(HubError) -> Said {
        let parameters = Say(text, language: language, home: home, room: room, isDryRun: isDryRun ? true : nil)
        return try await client.call(HubMethods.say, parameters, waitingFor: "the accessories")
    }

    /// Runs a closure while the terminal answers the questions that sentences lead to. Without a terminal, they are left
    /// to `hearth questions` and the page.
    func answeringQuestions<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard isatty(STDIN_FILENO) == 1, !options.json else { return try await body() }
        _ = try await client.call(HubMethods.questions, Empty())
        let questions = Task {
            for await event in client.events {
                guard case .asked(let question) = event, question.kind == .voice else { continue }
                try await answer(question)
            }
        }
        defer { questions.cancel() }
        return try await body()
    }

    private func answer(_ question: Question) async throws {
        let choices = question.fields.first?.choices.map(\.label) ?? []
        ProgramOutput.note("\(question.text) (\(choices.joined(separator: ", "))) ", terminator: "")
        let answer = readLine()?.trimmingCharacters(in: .whitespaces) ?? ""
        do throws(HubError) {
            if answer.isEmpty {
                _ = try await client.call(HubMethods.declineQuestion, QuestionTarget(id: question.id))
            } else {
                _ = try await client.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answer: answer))
            }
        } catch {
            ProgramOutput.note(error.reason)
            if error.code == .invalidAnswer { try await self.answer(question) }
        }
    }
}
