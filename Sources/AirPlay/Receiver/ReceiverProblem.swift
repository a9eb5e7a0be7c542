/// The reason for which a receiver refuses a request.
package enum ReceiverProblem: String, Hashable, Sendable {
    /// Another sender plays.
    case busy
    /// The password is wrong.
    case wrongPassword
    /// The method doesn't fit the state of the stream.
    case wrongOrder
    /// The method is unknown.
    case unknownMethod
    /// The announcement is malformed.
    case malformedAnnouncement
    /// The format of the audio isn't supported.
    case unsupportedFormat
    /// The audio is encrypted with a key that only Apple's receivers have.
    case encrypted
    /// The transport isn't UDP.
    case unsupportedTransport
    /// The volume or the progress is malformed.
    case malformedParameters
    /// The names of what plays are malformed.
    case malformedMetadata
    /// A pairing message is malformed or out of order.
    case malformedPairing
    /// The sender must pair with the PIN first.
    case pairingRequired
    /// The sender isn't paired, or isn't the one that it claims to be.
    case unpaired
    /// The PIN is wrong.
    case wrongPIN
    /// Too many PINs were wrong, or a connection started too many pairings.
    case tooManyAttempts
    /// The setup of a session or of a stream is malformed.
    case malformedSetup
    /// The stream isn't audio in real time.
    case unsupportedStream
    /// The sender doesn't tell the time as in NTP.
    case unsupportedTiming
}
