import Foundation
import HomeModel

/// The answers to a question.
struct QuestionAnswers: Sendable {
    /// The answer to each field, by field ID.
    var values: [String: String]
    /// The user who answered.
    var user: UUID
    /// The caller for changes that follow from the answer. Every client receives them, that of the answer too.
    var caller: Caller?
}
