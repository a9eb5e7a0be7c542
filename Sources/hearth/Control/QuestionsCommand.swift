import ArgumentParser
import Foundation
import HubAPI

/// `hearth questions`: lists and answers the hub's questions.
struct QuestionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "questions",
        abstract: "List and answer the hub's questions.",
        discussion: "Example: hearth questions answer 6F1C1E6C-9B0D-4C22-8D4E-0B6C5B9D1F00",
        subcommands: [List.self, Answer.self, Decline.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the open questions.")
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let questions = try await HomeClient(options).call(HubMethods.questions, Empty()).questions
            if options.json {
                JSONLine(questions).print()
            } else {
                for question in questions {
                    ProgramOutput.line("\(question.id)  \(question.text)")
                    for link in question.links { ProgramOutput.line("  \(link)") }
                    for field in question.fields where !field.prompt.isEmpty { ProgramOutput.line("  \(field.prompt)") }
                }
            }
        }
    }

    struct Answer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "answer",
            abstract: "Answer a question.",
            discussion: """
                Reads the answer from standard input, because other users can see command lines: one line per field of \
                the question. An empty or missing line accepts the suggested value.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The question's ID (default: the only open question).") var id: String?

        func run() async throws {
            let client = try await HomeClient(options)
            let question = try await QuestionsCommand.question(id, client)
            let parameters = AnswerQuestion(id: question.id, answers: try Self.answers(to: question))
            _ = try await client.call(HubMethods.answerQuestion, parameters)
            ChangeOutput.print(options)
        }

        private static func answers(to question: Question) throws -> [String: String] {
            let isAsking = isatty(STDIN_FILENO) == 1
            if isAsking { ProgramOutput.note(([question.text] + question.links).joined(separator: "\n")) }
            var answers: [String: String] = [:]
            for field in question.fields {
                if isAsking, field.isSecret == true {
                    answers[field.id] = try Passphrase.ask(field.prompt)
                    continue
                }
                if isAsking { ProgramOutput.note("\(field.prompt):", terminator: " ") }
                let line = readLine()
                answers[field.id] = field.isSecret == true ? line : line?.trimmingCharacters(in: .whitespaces)
            }
            guard !answers.isEmpty else {
                throw CommandFailure("noAnswer", "Standard input contains no answer.")
            }
            return answers
        }
    }

    struct Decline: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "decline",
            abstract: "Decline a question and cancel its request."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The question's ID (default: the only open question).") var id: String?

        func run() async throws {
            let client = try await HomeClient(options)
            let question = try await QuestionsCommand.question(id, client)
            _ = try await client.call(HubMethods.declineQuestion, QuestionTarget(id: question.id))
            ChangeOutput.print(options)
        }
    }

    private static func question(_ id: String?, _ client: HomeClient) async throws -> Question {
        let questions = try await client.call(HubMethods.questions, Empty()).questions
        if let id {
            guard let question = questions.first(where: { $0.id == UUID(uuidString: id) }) else {
                throw CommandFailure("notFound", "No question “\(id)” is open.")
            }
            return question
        }
        guard let question = questions.first else { throw CommandFailure("notFound", "No question is open.") }
        guard questions.count == 1 else {
            throw CommandFailure("ambiguous", "\(questions.count) questions are open; choose one by its ID.")
        }
        return question
    }
}

extension Question {
    /// The links that the question shows.
    fileprivate var links: [String] { ([link].compactMap(\.self) + (pageLinks ?? [])).map(\.url) }
}

extension QuestionField {
    /// The prompt for the field: its label, its choices and its default.
    fileprivate var prompt: String {
        var parts = label.isEmpty ? [] : [label]
        if !choices.isEmpty { parts.append("(\(choices.map(\.label).joined(separator: ", ")))") }
        if let suggestion {
            parts.append("[\(choices.first { $0.value == suggestion }?.label ?? suggestion)]")
        }
        return parts.joined(separator: " ")
    }
}
