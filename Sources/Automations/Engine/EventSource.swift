package import Foundation

/// An event from outside the engine, with what caused it.
package struct EventSource: Hashable, Sendable {
    /// The event's ID, which makes up the ``OccurrenceKey`` of the firings that it causes.
    package var id: UUID
    /// The activity that caused it, such as the run that changed a characteristic; `nil` if none did.
    package var parent: UUID?
    /// The triggers in the chain of causes, one element for each firing, in any order; empty if a person or an accessory
    /// caused the event.
    package var causes: [UUID]

    /// Creates a source.
    package init(id: UUID, parent: UUID? = nil, causes: [UUID] = []) {
        self.id = id
        self.parent = parent
        self.causes = causes
    }
}
