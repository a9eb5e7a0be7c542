/// An error in TLV8 bytes.
public enum TLV8Error: Error, Hashable, Sendable {
    /// The bytes end within the two-byte header of an item.
    case truncatedHeader
    /// The bytes end within the value of an item of this type.
    case truncatedValue(TLVType)
    /// An item follows one of the same type that was not full (255 bytes), without a separator.
    case missingSeparator(TLVType)
    /// An empty item continues a full one.
    case emptyContinuation(TLVType)
    /// A pairing message has this type twice.
    case repeatedType(TLVType)
    /// An integer is empty or longer than eight bytes.
    case invalidInteger(TLVType)
}

extension TLV8Error: CustomStringConvertible {
    /// The reason, for logs.
    public var description: String {
        switch self {
        case .truncatedHeader: "TLV8 ends within an item's header"
        case .truncatedValue(let type): "TLV8 ends within the value of type \(type.rawValue)"
        case .missingSeparator(let type): "TLV8 has two values of type \(type.rawValue) with no separator between"
        case .emptyContinuation(let type): "TLV8 has an empty continuation of type \(type.rawValue)"
        case .repeatedType(let type): "TLV8 message has type \(type.rawValue) twice"
        case .invalidInteger(let type): "TLV8 value of type \(type.rawValue) is not an integer of 1 to 8 bytes"
        }
    }
}
