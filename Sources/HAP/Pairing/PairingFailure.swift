/// An error in a controller's pair-setup, pair-verify or pairings request. It ends the exchange; start a new one.
public struct PairingFailure: Error, Hashable, Sendable {
    /// The kind of failure. More kinds may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// The accessory rejected the setup code.
        public static let wrongSetupCode = Code("wrongSetupCode")
        /// The accessory is already paired. Another controller must add this one, or the accessory must be reset.
        public static let alreadyPaired = Code("alreadyPaired")
        /// The accessory is pairing with another controller. Try again shortly.
        public static let busy = Code("busy")
        /// The accessory has received too many wrong setup codes and must be reset.
        public static let tooManyTries = Code("tooManyTries")
        /// The accessory temporarily rejects pairing attempts. Try again in a few minutes.
        public static let mustWait = Code("mustWait")
        /// The accessory reported an unspecified failure.
        public static let accessoryFailed = Code("accessoryFailed")
        /// The accessory has no room for another pairing.
        public static let noRoom = Code("noRoom")
        /// The accessory has no pairing with this controller, or the request requires an admin.
        public static let notAuthorized = Code("notAuthorized")
        /// The peer is an accessory with a different identifier than expected.
        public static let otherAccessory = Code("otherAccessory")
        /// The peer has the accessory's identifier but another long-term key. The accessory was reset, or the peer is
        /// an impostor.
        public static let otherKey = Code("otherKey")
        /// The peer couldn't prove its identity: a proof, signature or key is wrong.
        public static let impostor = Code("impostor")
        /// A reply violates the protocol.
        public static let malformedReply = Code("malformedReply")
        /// The accessory refused with an unknown error; see ``PairingFailure/accessoryError``.
        public static let refused = Code("refused")
        /// The exchange's methods were called out of order.
        public static let outOfOrder = Code("outOfOrder")
        /// The cryptographic library failed.
        public static let internalFailure = Code("internalFailure")
    }

    /// The kind of failure.
    public let code: Code
    /// The human-readable reason.
    public let reason: String
    /// The error that the accessory sent, if any.
    public let accessoryError: PairingError?

    /// Creates a failure.
    public init(_ code: Code, reason: String, accessoryError: PairingError? = nil) {
        self.code = code
        self.reason = reason
        self.accessoryError = accessoryError
    }
}

extension PairingFailure: CustomStringConvertible {
    /// The code and the reason.
    public var description: String { "\(code): \(reason)" }
}
