package import Foundation

/// The result of a decision and the content of an entry: a verb, its subjects, and the effects.
package struct Change: Hashable, Sendable, Codable {
    /// The kind of change.
    package var verb: Verb
    /// The IDs of the affected objects; ``Verb`` defines which and in which order.
    package var subjects: [UUID]
    /// The effects in the order in which they are applied, including consequences.
    package var effects: [Effect]

    /// Creates a change.
    package init(verb: Verb, subjects: [UUID], effects: [Effect]) {
        self.verb = verb
        self.subjects = subjects
        self.effects = effects
    }

    /// The accessories and the action sets that the change removes.
    package var removedFavorites: Set<UUID> {
        Set(
            effects.compactMap { effect in
                guard case .remove(let record) = effect, [.accessory, .actionSet].contains(record.kind) else {
                    return nil
                }
                return record.uuid
            }
        )
    }

    /// The accessories that the change removes.
    package var removedAccessories: [UUID] {
        effects.compactMap { effect in
            guard case .remove(let record) = effect, record.kind == .accessory else { return nil }
            return record.uuid
        }
    }
}
