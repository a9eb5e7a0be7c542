/// The permissions of a paired controller: the value of ``TLVType/permissions``.
public enum PairingPermissions: UInt8, Hashable, Sendable, Codable {
    /// Can read and write, but not manage pairings.
    case user = 0
    /// Can do everything, including manage pairings.
    case admin = 1
}
