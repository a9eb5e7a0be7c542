import Foundation

/// The answers to a question.
struct QuestionAnswers: Sendable {
    /// The answer to each field, by field ID.
    var values: [String: String]
    /// The user who answered.
    var user: UUID
}
