public import Foundation

/// What a decision yields and an entry carries: what happened, to whom, and its effects.
public struct Change: Hashable, Sendable, Codable {
    /// What happened.
    public var verb: Verb
    /// The identities that it happened to; ``Verb`` says which and in which order.
    public var subjects: [UUID]
    /// The effects, consequences included, in the order in which they are applied.
    public var effects: [Effect]

    /// Makes a change.
    public init(verb: Verb, subjects: [UUID], effects: [Effect]) {
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
