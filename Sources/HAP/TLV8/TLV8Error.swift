/// Why bytes are not TLV8, or not the TLV8 that was asked for.
public enum TLV8Error: Error, Hashable, Sendable {
    /// The bytes end within the two-byte header of an item.
    case truncatedHeader
    /// The bytes end within the value of an item of this type.
    case truncatedValue(TLVType)
    /// An item follows one of its own type that was not full (255 bytes), with no separator between them.
    case missingSeparator(TLVType)
    /// A full item is continued by an empty one.
    case emptyContinuation(TLVType)
    /// A pairing message, or one entry of its list, has this type twice.
    case repeatedType(TLVType)
    /// An integer has no byte or more than eight.
    case invalidInteger(TLVType)
}

extension TLV8Error: CustomStringConvertible {
    /// What is wrong, for logs.
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
