package import Foundation

/// That people arrive or leave, or, in a condition, that they are at home or away.
package struct Presence: Hashable, Sendable, Codable {
    /// What the people do. Kept open.
    package struct Kind: Hashable, Sendable, Codable, RawRepresentable {
        /// The kind's name in logs and messages.
        package var rawValue: String

        /// Wraps a name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Any of them arrives.
        package static let everyEntry = Kind(rawValue: "everyEntry")
        /// Any of them leaves.
        package static let everyExit = Kind(rawValue: "everyExit")
        /// The first of them arrives. In a condition: one of them is at home.
        package static let firstEntry = Kind(rawValue: "firstEntry")
        /// The last of them leaves. In a condition: none of them is at home.
        package static let lastExit = Kind(rawValue: "lastExit")
    }

    /// Who is meant.
    package enum People: Hashable, Sendable {
        /// Everyone who has a part in the home.
        case everyone
        /// Whoever asks. A decision puts that person's identity in its place: no stored record has it.
        case caller
        /// Some people.
        case users([UUID])
    }

    /// What the people do.
    package var kind: Kind
    /// Who is meant.
    package var people: People

    /// Makes a presence.
    package init(_ kind: Kind, of people: People) {
        self.kind = kind
        self.people = people
    }
}

extension Presence.People: Codable {
    private static let everyoneName = "everyone"
    private static let callerName = "caller"

    /// Reads `"everyone"`, `"caller"`, or an array of identities.
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        switch try? value.decode(String.self) {
        case Self.everyoneName: self = .everyone
        case Self.callerName: self = .caller
        default: self = .users(try value.decode([UUID].self))
        }
    }

    /// Writes what ``init(from:)`` reads.
    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .everyone: try value.encode(Self.everyoneName)
        case .caller: try value.encode(Self.callerName)
        case .users(let users): try value.encode(users)
        }
    }
}
