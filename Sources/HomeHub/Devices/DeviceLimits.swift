/// The limits of devices that sign in. `Documentation/Limits.md` lists them.
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
    /// How long an invitation is valid.
    package static let invitationLifetime = Duration.seconds(24 * 60 * 60)
    /// The maximum number of open invitations of a user who invites others.
    package static let invitationsPerUser = 16
    /// The minimum time between two updates of a device's last use.
    static let useInterval = Duration.seconds(60 * 60)
}
