package import Foundation

/// What a decision yields and an entry carries: what happened, to whom, and its effects.
package struct Change: Hashable, Sendable, Codable {
    /// What happened.
    package var verb: Verb
    /// The identities that it happened to; ``Verb`` says which and in which order.
    package var subjects: [UUID]
    /// The effects, consequences included, in the order in which they are applied.
    package var effects: [Effect]

    /// Makes a change.
    package init(verb: Verb, subjects: [UUID], effects: [Effect]) {
        self.verb = verb
        self.subjects = subjects
        self.effects = effects
    }

    /// The accessories that are gone with it.
    package var removedAccessories: [UUID] {
        effects.compactMap { effect in
            guard case .remove(let record) = effect, record.kind == .accessory else { return nil }
            return record.uuid
        }
    }
}
