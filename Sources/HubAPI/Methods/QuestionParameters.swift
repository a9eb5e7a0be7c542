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
    /// The answer, in the form that ``Question/Kind`` asks for.
    public var answer: String

    /// Makes the parameters.
    public init(id: UUID, answer: String) {
        self.id = id
        self.answer = answer
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
