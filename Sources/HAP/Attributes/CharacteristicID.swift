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
        self.init(Array(string.utf8)[...])
    }

    /// Parses the query form.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let point = bytes.firstIndex(of: UInt8(ascii: ".")), let aid = Self.number(bytes[..<point]),
            let iid = Self.number(bytes[point...].dropFirst())
        else { return nil }
        self.init(aid: aid, iid: iid)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        guard !digits.isEmpty else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            guard ASCII.isDigit(digit) else { return nil }
            let product = number.multipliedReportingOverflow(by: 10)
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
