extension QuestionField {
    /// Checks and completes a user's answer to the field.
    ///
    /// - Returns: The value of the choice, the text, or the suggestion if the input is empty.
    /// - Throws: `invalidAnswer` if a required field has no answer, or the answer isn't one of the choices and the field
    ///   accepts nothing new.
    package func value(of input: String) throws(HubError) -> String {
        guard !input.isEmpty else {
            guard let suggestion else {
                throw invalid(label.isEmpty ? "An answer is needed." : "“\(label)” needs an answer.")
            }
            return suggestion
        }
        guard !choices.isEmpty else { return input }
        if choices.contains(where: { $0.value == input }) { return input }
        let folded = input.lowercased()
        let matching = choices.filter { $0.value.lowercased() == folded || $0.label.lowercased() == folded }
        guard let choice = matching.first, matching.count == 1 else {
            if acceptsNew == true, matching.isEmpty { return input }
            let labels = choices.map(\.label).joined(separator: ", ")
            throw invalid("“\(input.prefix(40))” is not one of the choices: \(labels).")
        }
        return choice.value
    }

    private func invalid(_ reason: String) -> HubError {
        var parts = ErrorParts()
        parts.field = id
        return HubError(.invalidAnswer, reason, parts: parts)
    }
}

extension [QuestionField] {
    /// Checks and completes a user's answers to all fields of a question.
    ///
    /// - Returns: The answer to each field, by field ID.
    /// - Throws: `invalidAnswer`, also if a field doesn't exist.
    package func answers(_ input: [String: String]) throws(HubError) -> [String: String] {
        if let unknown = input.keys.first(where: { id in !contains { $0.id == id } }) {
            throw HubError(.invalidAnswer, "The question has no field “\(unknown.prefix(40))”.")
        }
        var answers: [String: String] = [:]
        for field in self { answers[field.id] = try field.value(of: input[field.id] ?? "") }
        return answers
    }
}
