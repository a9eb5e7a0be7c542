/// The ID of a characteristic within its accessory server: the accessory's instance ID and the characteristic's.
public struct CharacteristicID: Hashable, Sendable {
    /// The accessory's instance ID, which is 1 for the primary accessory or the bridge.
    public let aid: UInt64
    /// The characteristic's instance ID, unique within the accessory among services and characteristics.
    public let iid: UInt64

    /// Creates an ID.
    public init(aid: UInt64, iid: UInt64) {
        self.aid = aid
        self.iid = iid
    }

    /// Parses the query form, `aid.iid` in decimal digits. Returns `nil` for anything else.
    public init?(_ string: some StringProtocol) {
        let parts = string.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, let aid = Self.number(parts[0]), let iid = Self.number(parts[1]) else { return nil }
        self.init(aid: aid, iid: iid)
    }

    private static func number(_ digits: some Sequence<UInt8>) -> UInt64? {
        var number: UInt64?
        for digit in digits {
            guard ASCII.isDigit(digit) else { return nil }
            let product = (number ?? 0).multipliedReportingOverflow(by: 10)
            let sum = product.partialValue.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
            guard !product.overflow, !sum.overflow else { return nil }
            number = sum.partialValue
        }
        return number
    }
}

extension CharacteristicID: CustomStringConvertible {
    /// The query form, `aid.iid`.
    public var description: String { "\(aid).\(iid)" }
}

extension CharacteristicID: Comparable {
    /// Orders IDs by accessory, then by instance.
    public static func < (left: CharacteristicID, right: CharacteristicID) -> Bool {
        (left.aid, left.iid) < (right.aid, right.iid)
    }
}
