import Foundation

/// The answers to a question.
struct QuestionAnswers: Sendable {
    /// The answer of every field, by its ID.
    var values: [String: String]
    /// The user who gave them.
    var user: UUID
}
