package import HAP

/// The names and numbers of AirPlay's pairing, where they aren't HomeKit's.
enum PairingConstants {
    /// The requests' paths.
    static let setupPath = "/pair-setup"
    static let verifyPath = "/pair-verify"
    static let showPINPath = "/pair-pin-start"
    static let paths: Set = [setupPath, verifyPath, showPINPath]
    /// The media type of pairing messages.
    static let contentType = "application/octet-stream"
    /// The header that names the kind of pairing.
    static let kindHeader = "X-Apple-HKP"
    /// Pairing with a PIN, and verification.
    static let fullKind = "3"
    /// Pairing for one connection.
    static let transientKind = "4"
    /// The PIN of transient pairing, which everybody knows.
    static let transientPIN = "3939"
}

extension KeyDerivation {
    /// Encrypts the sender's part of the event channel. The names are those of the receiver's view.
    static let eventsToReceiver = KeyDerivation(salt: "Events-Salt", info: "Events-Read-Encryption-Key")
    /// Encrypts the receiver's part of the event channel.
    static let eventsToSender = KeyDerivation(salt: "Events-Salt", info: "Events-Write-Encryption-Key")
}

/// The encryption of a connection, as one side has it.
///
/// Don't copy it: two copies would use the same nonces.
package struct SecureChannel: Sendable {
    private var opener: FrameOpener
    private var sealer: FrameSealer

    /// Creates the receiver's side of the control connection.
    package static func receiverControl(_ secret: SessionSecret) -> SecureChannel {
        SecureChannel(incoming: secret.key(.controllerToAccessory), outgoing: secret.key(.accessoryToController))
    }

    /// Creates the sender's side of the control connection.
    package static func senderControl(_ secret: SessionSecret) -> SecureChannel {
        SecureChannel(incoming: secret.key(.accessoryToController), outgoing: secret.key(.controllerToAccessory))
    }

    /// Creates the receiver's side of the event channel.
    package static func receiverEvents(_ secret: SessionSecret) -> SecureChannel {
        SecureChannel(incoming: secret.key(.eventsToReceiver), outgoing: secret.key(.eventsToSender))
    }

    /// Creates the sender's side of the event channel.
    package static func senderEvents(_ secret: SessionSecret) -> SecureChannel {
        SecureChannel(incoming: secret.key(.eventsToSender), outgoing: secret.key(.eventsToReceiver))
    }

    private init(incoming: FrameKey, outgoing: FrameKey) {
        opener = FrameOpener(key: incoming)
        sealer = FrameSealer(key: outgoing)
    }

    /// Returns the content of the frames that the bytes complete.
    package mutating func open(_ bytes: some Collection<UInt8>) throws(FrameError) -> [UInt8] {
        try opener.open(bytes)
    }

    /// Returns the frames with the bytes.
    package mutating func seal(_ bytes: [UInt8]) throws(FrameError) -> [UInt8] {
        try sealer.seal(bytes)
    }
}
