/// What a paired controller may do at the accessory: the value of ``TLVType/permissions``.
public enum PairingPermissions: UInt8, Hashable, Sendable, Codable {
    /// Reads and writes, but does not manage pairings.
    case user = 0
    /// Everything, the management of pairings included.
    case admin = 1
}
