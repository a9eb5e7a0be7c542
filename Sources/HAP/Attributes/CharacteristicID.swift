/// A characteristic of one accessory server: the accessory's id and the instance id within it.
public struct CharacteristicID: Hashable, Sendable {
    /// The accessory's id, 1 for the primary accessory or the bridge.
    public let aid: UInt64
    /// The characteristic's instance id, unique within the accessory among services and characteristics.
    public let iid: UInt64

    /// Makes an id.
    public init(aid: UInt64, iid: UInt64) {
        self.aid = aid
        self.iid = iid
    }

    /// Reads the form of a query, `aid.iid` in decimal digits; `nil` for anything else.
    public init?(_ string: some StringProtocol) {
        let parts = string.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy(ASCII.isDigit) }),
            let aid = UInt64(parts[0]), let iid = UInt64(parts[1])
        else { return nil }
        self.init(aid: aid, iid: iid)
    }
}

extension CharacteristicID: CustomStringConvertible {
    /// The form of a query, `aid.iid`.
    public var description: String { "\(aid).\(iid)" }
}

extension CharacteristicID: Comparable {
    /// Orders ids by accessory, then by instance.
    public static func < (left: CharacteristicID, right: CharacteristicID) -> Bool {
        (left.aid, left.iid) < (right.aid, right.iid)
    }
}
