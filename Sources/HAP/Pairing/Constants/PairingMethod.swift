/// The purpose of a pairing exchange: the value of ``TLVType/method``.
public struct PairingMethod: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: UInt64

    /// Creates a method from its number on the wire.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Pair-setup with the setup code alone.
    public static let pairSetup = PairingMethod(rawValue: 0)
    /// Pair-setup that also requires proof of certification.
    public static let pairSetupWithAuthentication = PairingMethod(rawValue: 1)
    /// Pair-verify.
    public static let pairVerify = PairingMethod(rawValue: 2)
    /// Adds a controller.
    public static let addPairing = PairingMethod(rawValue: 3)
    /// Removes a controller.
    public static let removePairing = PairingMethod(rawValue: 4)
    /// Lists the controllers.
    public static let listPairings = PairingMethod(rawValue: 5)
}
