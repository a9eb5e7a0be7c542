import Foundation
import HubAPI

/// A question that a part of the hub wants to ask.
struct QuestionDraft: Sendable {
    /// The users who can see and answer a question.
    enum Audience: Hashable, Sendable {
        /// The users who can change a home's layout.
        case editors(of: UUID)
        /// One user.
        case person(UUID)
    }

    /// The kind of question.
    var kind: Question.Kind
    /// The question as human-readable text.
    var text: String
    /// The users who can answer.
    var audience: Audience
    /// The HAP device ID of the accessory that the question is about, if any.
    var deviceID: String?
    /// The fields to fill in.
    var fields: [QuestionField] = [.answer]
    /// The reference of the guided setup, the sentence or the choice of a receiver that asks, if any.
    var reference: String?
    /// The number of answers that may still be tried after a wrong one, if a wrong one was given.
    var triesLeft: Int?
    /// The error for the asker if a user declines to answer.
    var refusal = QuestionManager.declined
    /// The six digits that a joining device shows, if any.
    var digits: String?
    /// The link for `hearth join` that the question shows, if any.
    var link: LoginLink?
    /// The links to the page that the question shows, if any.
    var pageLinks: [LoginLink]?

    /// The length of the human-readable text, in bytes.
    var size: Int {
        fields.reduce(text.utf8.count) { size, field in
            field.choices.reduce(size + field.label.utf8.count + (field.suggestion?.utf8.count ?? 0)) {
                $0 + $1.value.utf8.count + $1.label.utf8.count
            }
        }
    }
}
