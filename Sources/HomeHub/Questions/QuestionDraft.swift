import Foundation
import HubAPI

/// What a part of the hub wants to know from a person.
struct QuestionDraft: Sendable {
    /// Who may hear of it and answer.
    enum Audience: Hashable, Sendable {
        /// Those who may change a home's layout.
        case editors(of: UUID)
        /// One person.
        case person(UUID)
    }

    /// What is asked.
    var kind: Question.Kind
    /// The question in words for people.
    var text: String
    /// Who may answer.
    var audience: Audience
    /// The HAP device id of the accessory that it is about, if it is about one.
    var deviceID: String?
    /// What is to be answered.
    var fields: [QuestionField] = [.answer]
    /// What the asker gets when a person declines to answer.
    var refusal = HubError(.cancelled, "The question was declined.")

    /// The bytes of what people read of it.
    var size: Int {
        fields.reduce(text.utf8.count) { size, field in
            field.choices.reduce(size + field.label.utf8.count + (field.suggestion?.utf8.count ?? 0)) {
                $0 + $1.value.utf8.count + $1.label.utf8.count
            }
        }
    }

    /// What a person's answers come to.
    ///
    /// - Returns: The answer of every field, by its id.
    /// - Throws: `invalidAnswer`: a field that must be answered is not, or not by one of its choices; or there is no such
    ///   field.
    func answers(_ given: [String: String]) throws(HubError) -> [String: String] {
        if let stranger = given.keys.first(where: { id in !fields.contains { $0.id == id } }) {
            throw HubError(.invalidAnswer, "The question has no field “\(stranger.prefix(40))”.")
        }
        var answers: [String: String] = [:]
        for field in fields { answers[field.id] = try field.value(of: given[field.id] ?? "") }
        return answers
    }
}

extension QuestionField {
    fileprivate func value(of given: String) throws(HubError) -> String {
        guard !given.isEmpty else {
            guard let suggestion else {
                throw HubError(.invalidAnswer, label.isEmpty ? "An answer is needed." : "“\(label)” needs an answer.")
            }
            return suggestion
        }
        guard !choices.isEmpty else { return given }
        if choices.contains(where: { $0.value == given }) { return given }
        let folded = given.lowercased()
        let meant = choices.filter { $0.value.lowercased() == folded || $0.label.lowercased() == folded }
        guard let choice = meant.first, meant.count == 1 else {
            let labels = choices.map(\.label).joined(separator: ", ")
            throw HubError(.invalidAnswer, "“\(given.prefix(40))” is no choice here; there are: \(labels).")
        }
        return choice.value
    }
}
