/// One thing that a ``Question`` wants to know.
package struct QuestionField: Hashable, Sendable, Codable, Identifiable {
    /// One of the answers that a field takes.
    package struct Choice: Hashable, Sendable, Codable {
        /// What the answer says.
        package var value: String
        /// What people read; it is taken as an answer, too.
        package var label: String

        /// Makes a choice.
        package init(_ value: String, _ label: String) {
            self.value = value
            self.label = label
        }
    }

    /// Names the field within its question.
    package var id: String
    /// What is to be answered, in words for people; empty where the question's text says it.
    package var label: String
    /// What counts if the field is left empty; nil if it must be answered.
    package var suggestion: String?
    /// The answers that it takes; none means any text.
    package var choices: [Choice]

    /// Makes a field.
    package init(_ id: String, _ label: String = "", suggestion: String? = nil, choices: [Choice] = []) {
        self.id = id
        self.label = label
        self.suggestion = suggestion
        self.choices = choices
    }

    /// The one field of a question that a single text answers.
    package static let answer = QuestionField("answer")
}
