package import Foundation

/// What a trigger fires for.
package struct Occurrence: Hashable, Sendable {
    /// The trigger.
    package var trigger: UUID
    /// The due time or the event, as a text that is the same at both hubs.
    package var name: String

    /// Creates an occurrence.
    package init(trigger: UUID, name: String) {
        self.trigger = trigger
        self.name = name
    }
}
