public import Foundation

/// What made a change happen, so that a person can ask why.
public struct Cause: Hashable, Sendable, Codable {
    /// The sort of cause. Kept open so that one of a newer version survives.
    public struct Kind: Hashable, Sendable, Codable, RawRepresentable {
        /// The sort's name in logs and messages.
        public var rawValue: String

        /// Wraps a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// An app asked.
        public static let app = Kind(rawValue: "app")
        /// A person asked, on the page or the command line.
        public static let person = Kind(rawValue: "person")
        /// A person agreed to what an app asked for, by answering a question.
        public static let consent = Kind(rawValue: "consent")
        /// A scene ran.
        public static let scene = Kind(rawValue: "scene")
        /// A trigger fired.
        public static let trigger = Kind(rawValue: "trigger")
        /// The accessory itself: it was used by hand, by another controller, or followed its own rules.
        public static let accessory = Kind(rawValue: "accessory")
        /// The hub itself saw to it, for example after an accessory changed.
        public static let hub = Kind(rawValue: "hub")
    }

    /// The sort of cause.
    public var kind: Kind
    /// The scene or trigger, or the user who agreed; nil for the others.
    public var subject: UUID?

    /// Makes a cause.
    public init(kind: Kind, subject: UUID? = nil) {
        self.kind = kind
        self.subject = subject
    }

    /// An app asked.
    public static let app = Cause(kind: .app)
    /// A person asked, on the page or the command line.
    public static let person = Cause(kind: .person)
    /// The accessory itself.
    public static let accessory = Cause(kind: .accessory)
    /// The hub itself saw to it.
    public static let hub = Cause(kind: .hub)

    /// A user agreed to what an app asked for.
    public static func consent(of user: UUID) -> Cause { Cause(kind: .consent, subject: user) }
}
