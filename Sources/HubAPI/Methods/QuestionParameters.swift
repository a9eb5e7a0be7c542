public import Foundation

/// The questions that wait for an answer.
public struct Questions: Hashable, Sendable, Codable {
    /// Oldest first.
    public var questions: [Question]

    /// Makes the result.
    public init(questions: [Question]) {
        self.questions = questions
    }
}

/// Answers a question.
public struct AnswerQuestion: Hashable, Sendable, Codable {
    /// The question.
    public var id: UUID
    /// The answer to the question's first field, in the form that its kind asks for.
    public var answer: String?
    /// The answers to further fields, by the fields' ids. Those that are left out or empty take what was suggested.
    public var answers: [String: String]?

    /// Makes the parameters.
    public init(id: UUID, answer: String? = nil, answers: [String: String]? = nil) {
        self.id = id
        self.answer = answer
        self.answers = answers
    }
}

/// Names a question.
public struct QuestionTarget: Hashable, Sendable, Codable {
    /// The question.
    public var id: UUID

    /// Makes the parameters.
    public init(id: UUID) {
        self.id = id
    }
}
