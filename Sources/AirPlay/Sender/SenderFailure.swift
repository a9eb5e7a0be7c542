/// The reason for which a stream to a receiver failed.
package enum SenderFailure: Error, Hashable, Sendable {
    /// The receiver plays another sender's stream.
    case receiverBusy
    /// The receiver demands a password.
    case passwordRequired
    /// The receiver refuses the password.
    case wrongPassword
    /// The receiver refuses a request that the stream needs.
    case refused(method: String, status: Int)
    /// The receiver needs a PIN.
    case pairingRequired
    /// The receiver refuses the PIN.
    case wrongPIN
    /// The receiver refuses PINs for now.
    case tooManyAttempts
    /// Pairing failed for another reason.
    case pairingFailed(String)
    /// The receiver doesn't name its ports.
    case missingPorts
    /// The receiver responds without a request.
    case unexpectedResponse
}
