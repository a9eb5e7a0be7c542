public import Foundation

/// That people arrive or leave, or, in a condition, that they are at home or away.
public struct Presence: Hashable, Sendable, Codable {
    /// What the people do. Kept open.
    public struct Kind: Hashable, Sendable, Codable, RawRepresentable {
        /// The kind's name in logs and messages.
        public var rawValue: String

        /// Wraps a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Any of them arrives.
        public static let everyEntry = Kind(rawValue: "everyEntry")
        /// Any of them leaves.
        public static let everyExit = Kind(rawValue: "everyExit")
        /// The first of them arrives. In a condition: one of them is at home.
        public static let firstEntry = Kind(rawValue: "firstEntry")
        /// The last of them leaves. In a condition: none of them is at home.
        public static let lastExit = Kind(rawValue: "lastExit")
    }

    /// Who is meant.
    public enum People: Hashable, Sendable {
        /// Everyone who has a part in the home.
        case everyone
        /// Whoever asks. A decision puts that person's identity in its place: no stored record has it.
        case caller
        /// Some people.
        case users([UUID])
    }

    /// What the people do.
    public var kind: Kind
    /// Who is meant.
    public var people: People

    /// Makes a presence.
    public init(_ kind: Kind, of people: People) {
        self.kind = kind
        self.people = people
    }
}

extension Presence.People: Codable {
    private static let everyoneName = "everyone"
    private static let callerName = "caller"

    /// Reads `"everyone"`, `"caller"`, or an array of identities.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        switch try? value.decode(String.self) {
        case Self.everyoneName: self = .everyone
        case Self.callerName: self = .caller
        default: self = .users(try value.decode([UUID].self))
        }
    }

    /// Writes what ``init(from:)`` reads.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .everyone: try value.encode(Self.everyoneName)
        case .caller: try value.encode(Self.callerName)
        case .users(let users): try value.encode(users)
        }
    }
}
