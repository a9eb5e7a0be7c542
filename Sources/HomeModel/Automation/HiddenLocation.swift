package import Foundation

/// A ``LocationRegion`` as people see it whose place it is not: that somebody comes or goes, and not where.
package struct HiddenLocation: Hashable, Sendable, Codable {
    /// Whether entering the region counts.
    package var onEntry: Bool
    /// Whether leaving the region counts.
    package var onExit: Bool
    /// The person whose place it is.
    package var user: UUID?

    /// Creates a hidden location.
    package init(onEntry: Bool, onExit: Bool, user: UUID?) {
        self.onEntry = onEntry
        self.onExit = onExit
        self.user = user
    }
}
