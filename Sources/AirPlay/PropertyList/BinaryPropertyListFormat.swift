/// The layout of binary property lists (version `bplist00`): objects, a table of their offsets, and a trailer. Numbers
/// have their most significant byte first.
enum BinaryPropertyListFormat {
    static let magic = Array("bplist00".utf8)
    /// Six unused bytes, the sizes of offsets and references, the number of objects, the root's number, and the table's
    /// offset.
    static let trailerLength = 32
    static let unusedTrailerLength = 6
    /// The low four bits of an object's first byte if its length follows as an integer.
    static let lengthFollows: UInt8 = 0x0F
    static let falseObject: UInt8 = 0x08
    static let trueObject: UInt8 = 0x09

    /// The kind of an object: the high four bits of its first byte.
    enum Kind: UInt8 {
        /// `false` or `true`, among others.
        case simple = 0x0
        case integer = 0x1
        case real = 0x2
        case date = 0x3
        case data = 0x4
        case ascii = 0x5
        case utf16 = 0x6
        case utf8 = 0x7
        case array = 0xA
        case dictionary = 0xD
    }
}
