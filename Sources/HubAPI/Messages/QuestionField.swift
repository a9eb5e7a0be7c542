/// A field of a ``Question``.
package struct QuestionField: Hashable, Sendable, Codable, Identifiable {
    /// An answer that a field accepts.
    package struct Choice: Hashable, Sendable, Codable {
        /// The value to send as the answer.
        package var value: String
        /// The human-readable label, which is also accepted as an answer.
        package var label: String

        /// Creates a choice.
        package init(_ value: String, _ label: String) {
            self.value = value
            self.label = label
        }
    }

    /// The field's name, unique in its question.
    package var id: String
    /// The human-readable label; empty if the question's text is sufficient.
    package var label: String
    /// The value to use if the field is left empty; `nil` if the field is required.
    package var suggestion: String?
    /// The accepted answers; empty if any text is accepted.
    package var choices: [Choice]

    /// Creates a field.
    package init(_ id: String, _ label: String = "", suggestion: String? = nil, choices: [Choice] = []) {
        self.id = id
        self.label = label
        self.suggestion = suggestion
        self.choices = choices
    }

    /// The only field of a question that takes a single text.
    package static let answer = QuestionField("answer")
}
