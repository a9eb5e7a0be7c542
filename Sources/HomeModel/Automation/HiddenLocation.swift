public import Foundation

/// A ``LocationRegion`` as people see it whose place it is not: that somebody comes or goes, and not where.
public struct HiddenLocation: Hashable, Sendable, Codable {
    /// Whether entering the region counts.
    public var onEntry: Bool
    /// Whether leaving the region counts.
    public var onExit: Bool
    /// The person whose place it is.
    public var user: UUID?

    /// Creates a hidden location.
    public init(onEntry: Bool, onExit: Bool, user: UUID?) {
        self.onEntry = onEntry
        self.onExit = onExit
        self.user = user
    }
}
