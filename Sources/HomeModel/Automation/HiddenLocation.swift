package import Foundation

/// A ``LocationRegion`` as users other than its own see it: without the place.
package struct HiddenLocation: Hashable, Sendable, Codable {
    /// Whether entering the region counts.
    package var onEntry: Bool
    /// Whether leaving the region counts.
    package var onExit: Bool
    /// The user whose region it is.
    package var user: UUID?

    /// Creates a hidden location.
    package init(onEntry: Bool, onExit: Bool, user: UUID?) {
        self.onEntry = onEntry
        self.onExit = onExit
        self.user = user
    }
}
