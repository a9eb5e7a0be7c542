package import Foundation

/// What a hub of two is to the homes.
package enum HubRole: Hashable, Sendable {
    /// It leads: it alone decides.
    case leading(term: Int)
    /// It follows another hub, which leads.
    case following(UUID)
    /// No hub leads, as far as it knows.
    case withoutLeader
}
