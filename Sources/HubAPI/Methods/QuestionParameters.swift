package import Foundation

/// The questions that wait for an answer.
package struct Questions: Hashable, Sendable, Codable {
    /// The questions, oldest first.
    package var questions: [Question]

    package init(questions: [Question]) {
        self.questions = questions
    }
}

/// Answers a question.
package struct AnswerQuestion: Hashable, Sendable, Codable {
    /// The ID of the question.
    package var id: UUID
    /// The answer to the question's first field, in the form that the question's kind requires.
    package var answer: String?
    /// The answers to further fields, by field ID. If an answer is missing or empty, the hub uses the field's
    /// suggestion.
    package var answers: [String: String]?

    package init(id: UUID, answer: String? = nil, answers: [String: String]? = nil) {
        self.id = id
        self.answer = answer
        self.answers = answers
    }
}

/// A question that waits longer.
package struct RenewedQuestion: Hashable, Sendable, Codable {
    /// When the question expires now, in the hub's time.
    package var expires: Date

    package init(expires: Date) {
        self.expires = expires
    }
}

/// Identifies a question.
package struct QuestionTarget: Hashable, Sendable, Codable {
    /// The ID of the question.
    package var id: UUID

    package init(id: UUID) {
        self.id = id
    }
}
