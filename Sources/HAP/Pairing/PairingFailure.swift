/// Why a controller's pair-setup, pair-verify or management of pairings failed. The exchange is over; begin anew.
public struct PairingFailure: Error, Hashable, Sendable {
    /// What kind of failure it was. More kinds may come.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// The accessory says that the setup code is wrong.
        public static let wrongSetupCode = Code("wrongSetupCode")
        /// The accessory is paired already; another controller must add this one, or the accessory be reset.
        public static let alreadyPaired = Code("alreadyPaired")
        /// The accessory is pairing with another controller. Try again a little later.
        public static let busy = Code("busy")
        /// The accessory has seen too many wrong setup codes and must be reset.
        public static let tooManyTries = Code("tooManyTries")
        /// The accessory takes no more tries for a while. Try again some minutes later.
        public static let mustWait = Code("mustWait")
        /// The accessory failed for reasons of its own.
        public static let accessoryFailed = Code("accessoryFailed")
        /// The accessory has no room for another pairing.
        public static let noRoom = Code("noRoom")
        /// The accessory does not know this controller, or not as an admin where one is needed.
        public static let notAuthorized = Code("notAuthorized")
        /// The peer is an accessory with another identifier than the one that was expected.
        public static let otherAccessory = Code("otherAccessory")
        /// The peer has the accessory's identifier and another long-term key: the accessory was reset, or the peer only
        /// passes itself off as it.
        public static let otherKey = Code("otherKey")
        /// The peer could not prove to be the accessory: a proof, signature or key is wrong.
        public static let impostor = Code("impostor")
        /// A reply is not what the protocol asks for here.
        public static let malformedReply = Code("malformedReply")
        /// The accessory refused with an error that has no name: see ``PairingFailure/accessoryError``.
        public static let refused = Code("refused")
        /// The exchange was used out of order.
        public static let outOfOrder = Code("outOfOrder")
        /// The cryptographic library failed.
        public static let internalFailure = Code("internalFailure")
    }

    /// What kind of failure it was.
    public let code: Code
    /// What went wrong, for logs and people.
    public let reason: String
    /// The error that the accessory sent, if it sent one.
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
