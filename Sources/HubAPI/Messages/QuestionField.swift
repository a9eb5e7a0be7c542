/// One thing that a ``Question`` wants to know.
public struct QuestionField: Hashable, Sendable, Codable, Identifiable {
    /// One of the answers that a field takes.
    public struct Choice: Hashable, Sendable, Codable {
        /// What the answer says.
        public var value: String
        /// What people read; it is taken as an answer, too.
        public var label: String

        /// Makes a choice.
        public init(_ value: String, _ label: String) {
            self.value = value
            self.label = label
        }
    }

    /// Names the field within its question.
    public var id: String
    /// What is to be answered, in words for people; empty where the question's text says it.
    public var label: String
    /// What counts if the field is left empty; nil if it must be answered.
    public var suggestion: String?
    /// The answers that it takes; none means any text.
    public var choices: [Choice]

    /// Makes a field.
    public init(_ id: String, _ label: String = "", suggestion: String? = nil, choices: [Choice] = []) {
        self.id = id
        self.label = label
        self.suggestion = suggestion
        self.choices = choices
    }

    /// The one field of a question that a single text answers.
    public static let answer = QuestionField("answer")
}
