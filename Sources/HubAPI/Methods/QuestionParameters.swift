package import Foundation

/// The questions that wait for an answer.
package struct Questions: Hashable, Sendable, Codable {
    /// Oldest first.
    package var questions: [Question]

    /// Makes the result.
    package init(questions: [Question]) {
        self.questions = questions
    }
}

/// Answers a question.
package struct AnswerQuestion: Hashable, Sendable, Codable {
    /// The question.
    package var id: UUID
    /// The answer to the question's first field, in the form that its kind asks for.
    package var answer: String?
    /// The answers to further fields, by the fields' ids. Those that are left out or empty take what was suggested.
    package var answers: [String: String]?

    /// Makes the parameters.
    package init(id: UUID, answer: String? = nil, answers: [String: String]? = nil) {
        self.id = id
        self.answer = answer
        self.answers = answers
    }
}

/// Names a question.
package struct QuestionTarget: Hashable, Sendable, Codable {
    /// The question.
    package var id: UUID

    /// Makes the parameters.
    package init(id: UUID) {
        self.id = id
    }
}
