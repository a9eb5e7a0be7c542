package import Foundation

/// What made a change happen, so that a person can ask why.
package struct Cause: Hashable, Sendable, Codable {
    /// The sort of cause. Kept open so that one of a newer version survives.
    package struct Kind: Hashable, Sendable, Codable, RawRepresentable {
        /// The sort's name in logs and messages.
        package var rawValue: String

        /// Wraps a name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// An app asked.
        package static let app = Kind(rawValue: "app")
        /// A person asked, on the page or the command line.
        package static let person = Kind(rawValue: "person")
        /// A person agreed to what an app asked for, by answering a question.
        package static let consent = Kind(rawValue: "consent")
        /// A scene ran.
        package static let scene = Kind(rawValue: "scene")
        /// A trigger fired.
        package static let trigger = Kind(rawValue: "trigger")
        /// The accessory itself: it was used by hand, by another controller, or followed its own rules.
        package static let accessory = Kind(rawValue: "accessory")
        /// The hub itself saw to it, for example after an accessory changed.
        package static let hub = Kind(rawValue: "hub")
    }

    /// The sort of cause.
    package var kind: Kind
    /// The scene or trigger, or the user who agreed; nil for the others.
    package var subject: UUID?

    /// Makes a cause.
    package init(kind: Kind, subject: UUID? = nil) {
        self.kind = kind
        self.subject = subject
    }

    /// An app asked.
    package static let app = Cause(kind: .app)
    /// A person asked, on the page or the command line.
    package static let person = Cause(kind: .person)
    /// The accessory itself.
    package static let accessory = Cause(kind: .accessory)
    /// The hub itself saw to it.
    package static let hub = Cause(kind: .hub)

    /// A user agreed to what an app asked for.
    package static func consent(of user: UUID) -> Cause { Cause(kind: .consent, subject: user) }
}
