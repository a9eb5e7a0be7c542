package import Foundation
package import HAPCatalog

/// A term of a condition as it was found when the condition was evaluated: whether it was true, and the facts that
/// decided it.
package struct Observation: Hashable, Sendable, Codable {
    /// The term, which contains no other terms.
    package var term: Condition
    /// Whether it was true.
    package var isTrue: Bool
    /// The characteristic's last known value; `nil` for other terms, or if no value was known.
    package var value: CharacteristicValue?
    /// The moments that the time was compared with, such as the day's sunset; empty for other terms, and where the sun
    /// doesn't rise or set.
    package var moments: [Date]
    /// Those of the term's users who were at home; `nil` for other terms.
    package var present: [UUID]?

    /// Creates an observation.
    package init(
        _ term: Condition,
        isTrue: Bool,
        value: CharacteristicValue? = nil,
        moments: [Date] = [],
        present: [UUID]? = nil
    ) {
        self.term = term
        self.isTrue = isTrue
        self.value = value
        self.moments = moments
        self.present = present
    }
}
