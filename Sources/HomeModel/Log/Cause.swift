package import Foundation

/// The cause of a change, so that users can find out why it happened.
package struct Cause: Hashable, Sendable, Codable {
    /// The kind of cause. Unknown values are preserved.
    package struct Kind: Hashable, Sendable, Codable, RawRepresentable {
        /// The kind's name in logs and messages.
        package var rawValue: String

        /// Creates a value from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A request of an app.
        package static let app = Kind(rawValue: "app")
        /// A request of an AI assistant that acts for a user.
        package static let assistant = Kind(rawValue: "assistant")
        /// A user's request, on the page or the command line.
        package static let person = Kind(rawValue: "person")
        /// A user's consent to an app's request, given by answering a question.
        package static let consent = Kind(rawValue: "consent")
        /// A scene that ran.
        package static let scene = Kind(rawValue: "scene")
        /// A trigger that fired.
        package static let trigger = Kind(rawValue: "trigger")
        /// A sentence that a user said.
        package static let voice = Kind(rawValue: "voice")
        /// The accessory itself: manual operation, another controller, or its own rules.
        package static let accessory = Kind(rawValue: "accessory")
        /// The hub itself, for example after an accessory changed.
        package static let hub = Kind(rawValue: "hub")
    }

    /// The kind of cause.
    package var kind: Kind
    /// The scene, the trigger or the consenting user; `nil` for other kinds.
    package var subject: UUID?

    /// Creates a cause.
    package init(kind: Kind, subject: UUID? = nil) {
        self.kind = kind
        self.subject = subject
    }

    /// A request of an app.
    package static let app = Cause(kind: .app)
    /// A request of an AI assistant.
    package static let assistant = Cause(kind: .assistant)
    /// A user's request, on the page or the command line.
    package static let person = Cause(kind: .person)
    /// The accessory itself.
    package static let accessory = Cause(kind: .accessory)
    /// The hub itself.
    package static let hub = Cause(kind: .hub)

    /// A user's consent to an app's request.
    package static func consent(of user: UUID) -> Cause { Cause(kind: .consent, subject: user) }
}
