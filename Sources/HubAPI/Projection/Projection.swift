package import Foundation
package import HomeModel

/// A session's view of the homes' records and changes.
///
/// Sessions never receive records as they are stored. Users appear under aliases: an alias is an ID that is specific to
/// a user, a home and an app. It never changes, and reveals nothing about the user's account, other homes or other
/// apps. If a trigger waits for another user to arrive at a location, the location is hidden. Data that this version
/// doesn't know is left out, because its content can't be judged.
///
/// An agent's projection has the home's own user IDs. Applied to its result, the projection of an app of the same person has
/// the same result as applied to the hub's records.
///
/// The projection is a value that depends only on its properties. The hub and any process that serves apps in its place
/// therefore produce the same view.
package struct Projection: Sendable {
    /// Returns a message's authentication code, at least 16 bytes, under the secret alias key of a home.
    ///
    /// It is a parameter because this module is part of every app's build, which must not depend on cryptography.
    package typealias Authenticate = @Sendable (_ message: [UInt8], _ home: UUID) -> [UInt8]

    /// The user whose session it is.
    package let user: UUID
    /// The app's identifier.
    package let app: String
    /// The kind of session.
    package let kind: SessionKind
    private let authenticate: Authenticate

    /// Creates the projection for a session.
    package init(user: UUID, app: String, kind: SessionKind, authenticate: @escaping Authenticate) {
        self.user = user
        self.app = app
        self.kind = kind
        self.authenticate = authenticate
    }

    /// Returns the ID under which a user of a home appears to the app.
    package func alias(of user: UUID, in home: UUID) -> UUID {
        if kind == .agent { return user }
        let message = withUnsafeBytes(of: user.uuid) { Array($0) + Array(app.utf8) }
        var bytes = Array(authenticate(message, home).prefix(16))
        // This is a version 8 UUID, whose bits are application-defined (RFC 9562, section 5.8).
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Returns the users of a home by their aliases.
    ///
    /// - Parameters:
    ///   - home: The home.
    ///   - origin: The home that the aliases are derived from, by default `home`. The home of an export may have been
    ///     created again since.
    package func people(of home: Home, asIn origin: UUID? = nil) -> [UUID: UUID] {
        // Collisions of 128-bit codes don't occur in practice.
        Dictionary(home.users.map { (alias(of: $0.id, in: origin ?? home.id), $0.id) }) { first, _ in first }
    }

    /// Returns the user of a home who has an alias.
    ///
    /// - Returns: `nil` if no user of the home has the alias. It may be an alias for another home or app, or an
    ///   account's ID.
    package func person(_ alias: UUID, in home: Home) -> UUID? {
        home.users.first { self.alias(of: $0.id, in: home.id) == alias }?.id
    }
}
