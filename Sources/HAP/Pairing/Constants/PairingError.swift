/// The error with which an accessory refuses a pairing message: the value of ``TLVType/error``. Unknown codes are
/// preserved.
public struct PairingError: RawRepresentable, Error, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: UInt64

    /// Creates an error from its number on the wire.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Another failure, such as an error of the accessory's storage.
    public static let unknown = PairingError(rawValue: 1)
    /// A proof or signature is wrong, the controller is unknown, or it lacks the permission.
    public static let authentication = PairingError(rawValue: 2)
    /// Wait before the next attempt. Current accessories don't use it.
    public static let backoff = PairingError(rawValue: 3)
    /// There is no room for another pairing.
    public static let maxPeers = PairingError(rawValue: 4)
    /// Too many wrong setup codes; the accessory must be reset.
    public static let maxTries = PairingError(rawValue: 5)
    /// The accessory is already paired.
    public static let unavailable = PairingError(rawValue: 6)
    /// The accessory is pairing with another controller.
    public static let busy = PairingError(rawValue: 7)
}

extension PairingError: CustomStringConvertible {
    /// The error's name in HAP, or its number.
    public var description: String {
        switch self {
        case .unknown: "Unknown"
        case .authentication: "Authentication"
        case .backoff: "Backoff"
        case .maxPeers: "MaxPeers"
        case .maxTries: "MaxTries"
        case .unavailable: "Unavailable"
        case .busy: "Busy"
        default: "pairing error \(rawValue)"
        }
    }
}
