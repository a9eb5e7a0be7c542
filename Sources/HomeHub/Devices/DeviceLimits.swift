import Foundation

/// The limits of devices that sign in or join. `Documentation/Limits.md` lists them.
package enum DeviceLimits {
    /// The maximum number of a user's devices that stay signed in.
    package static let devicesPerUser = 32
    /// The maximum number of a user's devices that are signed in for a session. A further one replaces the one that was
    /// used least recently.
    package static let sessionsPerUser = 32
    /// The maximum number of valid tokens of a device. A further one replaces the oldest.
    package static let tokensPerDevice = 8
    /// How long a token is valid.
    package static let tokenLifetime = Duration.seconds(12 * 60 * 60)
    /// How long the credential before the current one is accepted.
    package static let formerCredential = Duration.seconds(60)
    /// The maximum number of a user's devices with a key.
    package static let agentsPerUser = 8
    /// The maximum number of the hub's own user's devices with a key.
    package static let agentsOfOwner = 16
    /// How long an invitation by link is valid.
    package static let invitationLifetime = Duration.seconds(7 * 24 * 60 * 60)
    /// How long an invitation by code is valid.
    package static let codeLifetime = Duration.seconds(10 * 60)
    /// The number of wrong tries after which a code ends.
    package static let triesPerCode = 5
    /// The number of wrong tries after which a link ends.
    package static let triesPerLink = 20
    /// The maximum number of open links of a home, and of a user's own devices.
    package static let invitationsPerHome = 20
    /// The maximum number of doors at the relay, one for each open link: as many as a relay takes.
    package static let doors = 100
    /// The maximum number of devices that weren't let in and are told so.
    static let declinedDevices = 64
    /// How long they are told so, while the hub runs.
    static let declinedMemory = Duration.seconds(24 * 60 * 60)
    /// Returns the maximum number of a user's devices with a key.
    static func agents(of user: UUID, owner: UUID) -> Int { user == owner ? agentsOfOwner : agentsPerUser }

    /// The minimum time between two updates of a device's last use.
    static let useInterval = Duration.seconds(60 * 60)
}
