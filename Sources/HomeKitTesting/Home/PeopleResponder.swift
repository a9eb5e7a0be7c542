import HubAPI
import Synchronization

/// A responder that answers the hub's questions about a home's users in place of the owner.
final class PeopleResponder: Sendable {
    // This is a class because the home and its client share it.

    private let state = Mutex(TestHome.PeopleAnswer.none)

    /// The answer to give from now on.
    var answer: TestHome.PeopleAnswer {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Returns the answers to a question's fields, or `nil` to decline the question.
    func answers(to question: Question) -> [String: String]? {
        let suggestions = question.fields.compactMap { field in field.suggestion.map { (field.id, $0) } }
        var answers = Dictionary(suggestions) { first, _ in first }
        switch answer {
        case .none:
            return nil
        case .invite(let name, let role):
            if question.kind == .people {
                guard let field = question.fields.last else { return nil }
                answers[field.id] = name
            } else {
                answers["name"] = name
                answers["role"] = role.rawValue
            }
        case .setRole(let role, let name):
            guard let field = Self.field(of: name, in: question) else { return nil }
            answers[field.id] = role.rawValue
        case .remove(let name):
            guard let field = Self.field(of: name, in: question) else { return nil }
            answers[field.id] = "removed"
        }
        return answers
    }

    /// Returns the field for a user's role.
    private static func field(of name: String, in question: Question) -> QuestionField? {
        question.kind == .people ? question.fields.first { $0.label == name && !$0.choices.isEmpty } : nil
    }
}

extension TestHome {
    /// The owner's answer when the hub asks whom to invite, or who has access to the home.
    public enum PeopleAnswer: Hashable, Sendable {
        /// Invites a user. The question of `manageUsers()` has no role: it invites a guest.
        case invite(String, role: TestPerson.Role = .guest)
        /// Gives a user another role, in answer to the question of `manageUsers()`.
        case setRole(TestPerson.Role, of: String)
        /// Removes a user, in answer to the question of `manageUsers()`.
        case remove(String)
        /// Cancels.
        case none
    }

    /// The owner's answer when an app of theirs calls `addUser()` or `manageUsers()` (default: ``PeopleAnswer/none``).
    ///
    /// An answer that doesn't fit the question, such as the removal of a user who isn't there, cancels.
    public var peopleAnswer: PeopleAnswer {
        get { people.answer }
        set { people.answer = newValue }
    }
}
