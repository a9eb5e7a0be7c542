package import Foundation
package import HomeModel

/// What one session is shown of the homes' records and changes, and whom it means by the IDs that it was shown.
///
/// Nobody is shown records as they are stored. People appear under an alias: an ID that is theirs in one home and to one
/// app. It is the same for good, and says nothing about their account, other homes or other apps. Where a trigger waits
/// for somebody else to come to a place, the place is hidden. What this version does not know is not shown, because
/// nobody can say what is in it.
///
/// It is a value and depends on nothing but what it is made of: the hub and whoever serves apps in its place show the
/// same.
package struct Projection: Sendable {
    /// Returns a message's authentication code, at least 16 bytes, under the secret alias key of a home.
    ///
    /// It is handed in, because every app's build has this module in it, and none is to pull in cryptography.
    package typealias Authenticate = @Sendable (_ message: [UInt8], _ home: UUID) -> [UInt8]

    /// The person whose session it is.
    package let user: UUID
    /// The app's identifier.
    package let app: String
    /// What the session is to the person.
    package let kind: SessionKind
    private let authenticate: Authenticate

    /// Creates the projection for a session.
    package init(user: UUID, app: String, kind: SessionKind, authenticate: @escaping Authenticate) {
        self.user = user
        self.app = app
        self.kind = kind
        self.authenticate = authenticate
    }

    /// Returns the ID under which a person of a home appears to the app.
    package func alias(of user: UUID, in home: UUID) -> UUID {
        let message = withUnsafeBytes(of: user.uuid) { Array($0) + Array(app.utf8) }
        var bytes = Array(authenticate(message, home).prefix(16))
        // A UUID of version 8, whose other bits are of one's own making (RFC 9562, section 5.8).
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Returns the people of a home by their aliases.
    ///
    /// - Parameters:
    ///   - home: The home.
    ///   - origin: The home in which they have the aliases. An export may be of a home that was made anew since.
    package func people(of home: Home, asIn origin: UUID? = nil) -> [UUID: UUID] {
        // Two of 128-bit codes are not the same.
        Dictionary(home.users.map { (alias(of: $0.id, in: origin ?? home.id), $0.id) }) { first, _ in first }
    }

    /// Returns the person of a home who has an alias.
    ///
    /// - Returns: `nil` if nobody of the home has it: another home's, another app's, an account, or nobody's at all.
    package func person(_ alias: UUID, in home: Home) -> UUID? {
        home.users.first { self.alias(of: $0.id, in: home.id) == alias }?.id
    }
}
