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
        guard let ids = bytes.withUnsafeBytes(Self.list), ids.count == 1 else { return nil }
        self = ids[0]
    }

    /// Parses IDs in the query form with commas between them. Returns `nil` for anything else.
    ///
    /// A controller asks for many at once, so this takes the bytes one after another, without a slice for each part.
    static func list(_ bytes: UnsafeRawBufferPointer) -> [CharacteristicID]? {
        var ids: [CharacteristicID] = []
        // Otherwise the array would grow one step at a time.
        ids.reserveCapacity(bytes.count { $0 == UInt8(ascii: ",") } + 1)
        var aid: UInt64?
        var number: UInt64?
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let product = (number ?? 0).multipliedReportingOverflow(by: 10)
                let sum = product.partialValue.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
                guard !product.overflow, !sum.overflow else { return nil }
                number = sum.partialValue
            case UInt8(ascii: "."):
                guard aid == nil, number != nil else { return nil }
                aid = number.take()
            case UInt8(ascii: ","):
                guard let first = aid.take(), let second = number.take() else { return nil }
                ids.append(CharacteristicID(aid: first, iid: second))
            default:
                return nil
            }
        }
        guard let aid, let number else { return nil }
        ids.append(CharacteristicID(aid: aid, iid: number))
        return ids
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
