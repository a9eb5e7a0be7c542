package import Foundation

/// What a device gets when it signs in, or renews its token.
package struct SignIn: Hashable, Sendable {
    /// The token of its requests.
    package var token: String
    /// The number of seconds for which the token is valid.
    package var expiresIn: Int
    /// What renews the token; `nil` if the device doesn't stay signed in.
    package var credential: String?
    /// The user.
    package var user: UUID
    /// A name of the user in one of the homes; empty if there is none yet.
    package var userName: String
    /// The ID of the device.
    package var device: UUID
}
