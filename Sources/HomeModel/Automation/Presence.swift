package import Foundation

/// The arrival or departure of users; in a condition, whether they are at home.
package struct Presence: Hashable, Sendable, Codable {
    /// The kind of event. Unknown values are preserved.
    package struct Kind: Hashable, Sendable, Codable, RawRepresentable {
        /// The kind's name in logs and messages.
        package var rawValue: String

        /// Creates a value from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Any of the users arrives.
        package static let everyEntry = Kind(rawValue: "everyEntry")
        /// Any of the users leaves.
        package static let everyExit = Kind(rawValue: "everyExit")
        /// The first of the users arrives. In a condition: at least one of them is at home.
        package static let firstEntry = Kind(rawValue: "firstEntry")
        /// The last of the users leaves. In a condition: none of them is at home.
        package static let lastExit = Kind(rawValue: "lastExit")
    }

    /// The users whose presence counts.
    package enum People: Hashable, Sendable {
        /// All users of the home.
        case everyone
        /// The caller. Never stored: a decision replaces it with the caller's ID.
        case caller
        /// The given users.
        case users([UUID])
    }

    /// The kind of event.
    package var kind: Kind
    /// The users whose presence counts.
    package var people: People

    /// Creates a presence.
    package init(_ kind: Kind, of people: People) {
        self.kind = kind
        self.people = people
    }
}

extension Presence.People: Codable {
    private static let everyoneName = "everyone"
    private static let callerName = "caller"

    /// Decodes `"everyone"`, `"caller"`, or an array of IDs.
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        switch try? value.decode(String.self) {
        case Self.everyoneName: self = .everyone
        case Self.callerName: self = .caller
        default: self = .users(try value.decode([UUID].self))
        }
    }

    /// Encodes the form that ``init(from:)`` decodes.
    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .everyone: try value.encode(Self.everyoneName)
        case .caller: try value.encode(Self.callerName)
        case .users(let users): try value.encode(users)
        }
    }
}
