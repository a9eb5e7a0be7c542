package import Foundation

/// A leader's claim of a firing. It counts once it is committed, and only the first one for an occurrence does.
package struct Claim: Hashable, Sendable {
    /// What is claimed.
    package var occurrence: Occurrence
    /// The hub that carries it out.
    package var hub: UUID
    /// The term in which the hub led.
    package var term: Int

    /// Creates a claim.
    package init(occurrence: Occurrence, hub: UUID, term: Int) {
        self.occurrence = occurrence
        self.hub = hub
        self.term = term
    }
}
