package import Foundation

/// The key of a small piece of state that a home's automations keep. It isn't in the home's log, because it changes with
/// every firing, run or arrival.
package struct StateKey: Hashable, Sendable {
    /// The kind of state. Unknown values are preserved.
    package struct Kind: Hashable, Sendable, RawRepresentable {
        /// The kind's name in the database.
        package var rawValue: String

        /// Creates a kind from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The last run of an action set or a trigger.
        package static let run = Kind(rawValue: "run")
        /// What a trigger's end event has to restore.
        package static let undo = Kind(rawValue: "undo")
        /// A user's presence.
        package static let presence = Kind(rawValue: "presence")
    }

    /// The kind of state.
    package var kind: Kind
    /// The home. The state is removed with its log.
    package var home: UUID
    /// The object or the user that the state is about.
    package var id: UUID

    /// Creates a key.
    package init(_ kind: Kind, home: UUID, id: UUID) {
        self.kind = kind
        self.home = home
        self.id = id
    }
}
