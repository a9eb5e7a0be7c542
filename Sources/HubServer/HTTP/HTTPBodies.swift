import Foundation
import HubAPI

/// The body of a request to sign in.
struct SignInBody: Codable {
    var code: String
    var name: String?
    var staySignedIn: Bool?
}

/// The body of a request for a new token.
struct RenewalBody: Codable {
    var credential: String
}

/// The response to a device that signs in or gets a new token.
struct SignInReply: Codable {
    /// The user.
    struct User: Codable {
        var name: String
    }

    var token: String
    var expiresIn: Int
    var credential: String?
    var user: User
    var device: UUID
}

/// The parameters of `session.hello`, without what the hub knows.
struct StreamRequest: Codable {
    var version: Int?
    var purpose: String?
    var seen: LogCursors?
    var former: PreviousConnection?
    var subscriptions: CharacteristicSet?
}

/// The body of a request for an export.
struct ExportBody: Codable {
    /// The home; `nil` for all.
    var home: UUID?
}

/// The response that describes the hub's own authority.
struct TrustReply: Codable {
    var name: String
    /// The SHA-256 digest of the certificate.
    var fingerprint: String
    var expires: Date
}
