/// The type of a record or question (RFC 1035 section 3.2.2 and its successors).
struct RecordType: RawRepresentable, Hashable, Sendable, Comparable {
    let rawValue: UInt16

    static func < (left: RecordType, right: RecordType) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The class of a record or question without its top bit (RFC 1035 section 3.2.4).
struct RecordClass: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt16
}
