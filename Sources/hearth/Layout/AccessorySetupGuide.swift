import Foundation
import HomeModel
import HubAPI

/// The hub's guided setup on a terminal: prints its questions and reads the answers.
struct AccessorySetupGuide {
    private static let defaultHome = "My Home"
    private static let renewalInterval = Duration.seconds(20)

    let client: HomeClient
    let options: ClientOptions

    /// Leads the user through adding an accessory. Adds a home if the user has none.
    ///
    /// - Parameters:
    ///   - deviceID: The accessory; by default the one that the user chooses.
    ///   - code: The setup code; by default the user enters it.
    ///   - name: The name to suggest.
    ///   - room: The room to suggest.
    /// - Returns: The home and the IDs of the accessories.
    func run(deviceID: String?, code: String?, name: String?, room: String?) async throws -> SetUpResult {
        let home = try await home()
        let reference = UUID().uuidString
        let parameters = SetUpAccessories(
            home: home.home.id,
            deviceID: deviceID,
            name: name,
            room: try room.map { (name) throws(CommandFailure) in try home.room(name) },
            reference: reference
        )
        // From here on, the hub sends its questions as events.
        _ = try await client.call(HubMethods.questions, Empty())
        if deviceID == nil { ProgramOutput.note("Looking for accessories …") }
        let answering = Task { try await answer(reference, code) }
        defer { answering.cancel() }
        return try await client.call(HubMethods.setUpAccessories, parameters, waitingFor: nil)
    }

    /// Returns the home that the options name, the primary home, or a new one.
    private func home() async throws -> NamedHome {
        guard options.home == nil, client.view.account.homes.isEmpty else { return try client.home() }
        try client.checkHub()
        ProgramOutput.note("You have no home yet.")
        let name = try Self.read("Name of the home [\(Self.defaultHome)]")
        let chosen = name.isEmpty ? Self.defaultHome : name
        let added = try await client.call(HubMethods.addHome, AddHome(name: chosen))
        ProgramOutput.note("Added the home \(chosen).")
        try await PlaceQuestion.ask(for: added.id, client)
        return try client.home()
    }

    /// Answers the questions of this setup until the task is canceled.
    private func answer(_ reference: String, _ code: String?) async throws {
        var code = code
        for await event in client.events {
            guard case .asked(let question) = event, question.reference == reference else { continue }
            // A code from the command line is tried once.
            if question.kind == .setupCode, let first = code {
                code = nil
                if try await isAccepted(["answer": first], question) { continue }
            }
            // The question waits while the user types.
            let renewal = Task {
                while true {
                    try await Task.sleep(for: Self.renewalInterval)
                    _ = try await client.call(
                        HubMethods.renewQuestion,
                        QuestionTarget(id: question.id),
                        waitingFor: nil
                    )
                }
            }
            defer { renewal.cancel() }
            while true {
                guard let answers = try? Self.answers(to: question) else {
                    ProgramOutput.note("")
                    _ = try await client.call(HubMethods.declineQuestion, QuestionTarget(id: question.id))
                    break
                }
                if try await isAccepted(answers, question) { break }
            }
        }
    }

    /// Sends answers. Prints the reason if the hub rejects them; the question then stays open.
    private func isAccepted(_ answers: [String: String], _ question: Question) async throws(HubError) -> Bool {
        do throws(HubError) {
            _ = try await client.call(
                HubMethods.answerQuestion,
                AnswerQuestion(id: question.id, answers: answers),
                waitingFor: nil
            )
            return true
        } catch {
            // The question ended while the user was typing.
            guard error.code.rawValue != "notFound" else { throw error }
            ProgramOutput.note("\(error.reason)")
            return false
        }
    }

    // MARK: Reading

    /// Prints a question and reads the answer to each field.
    private static func answers(to question: Question) throws(CommandFailure) -> [String: String] {
        ProgramOutput.note("\n\(question.text)")
        var answers: [String: String] = [:]
        for field in question.fields { answers[field.id] = try answer(to: field, of: question) }
        return answers
    }

    private static func answer(
        to field: QuestionField,
        of question: Question
    ) throws(CommandFailure) -> String {
        let suggested = field.choices.first { $0.value == field.suggestion }?.label ?? field.suggestion
        let label = field.label.isEmpty ? (question.kind == .setupCode ? "Setup code" : "Answer") : field.label
        // A short list fits on the line.
        let isListed = field.choices.count > 2 || field.acceptsNew == true || question.kind == .accessory
        if isListed {
            for (index, choice) in field.choices.enumerated() { ProgramOutput.note("  \(index + 1)  \(choice.label)") }
        }
        var prompt = label
        if !isListed, !field.choices.isEmpty {
            prompt += " (\(field.choices.map { $0.label.lowercased() }.joined(separator: "/")))"
        }
        if field.acceptsNew == true { prompt += ", or the name of a new one" }
        if let suggested { prompt += " [\(suggested)]" }
        while true {
            let input = try read(prompt)
            guard isListed, let number = Int(input) else { return input }
            if field.choices.indices.contains(number - 1) { return field.choices[number - 1].value }
            ProgramOutput.note("Choose a number from 1 to \(field.choices.count).")
        }
    }

    /// Reads a line after a prompt.
    ///
    /// - Throws: `operationCancelled` at the end of the input.
    private static func read(_ prompt: String) throws(CommandFailure) -> String {
        ProgramOutput.note("\(prompt): ", terminator: "")
        guard let line = readLine() else {
            throw CommandFailure(HubError.Code.cancelled.rawValue, "The input ended. Nothing was added.")
        }
        return line.trimmingCharacters(in: .whitespaces)
    }
}
