package import Foundation

/// The claim of a trigger's firing, which is stored before the first byte goes to an accessory, so that no firing is carried
/// out twice.
package struct FiringClaim: Hashable, Sendable {
    /// The home.
    package var home: UUID
    /// The trigger.
    package var trigger: UUID
    /// What the trigger fires for: the same text for the same due time or event.
    package var occurrence: String
    /// When it was claimed.
    package var time: Date
    /// The hub that claimed it as the leader of two; `nil` if it was alone.
    package var hub: UUID?
    /// The term in which the hub led; 0 if it was alone.
    package var term = 0

    /// Creates a claim.
    package init(home: UUID, trigger: UUID, occurrence: String, time: Date) {
        self.home = home
        self.trigger = trigger
        self.occurrence = occurrence
        self.time = time
    }
}
