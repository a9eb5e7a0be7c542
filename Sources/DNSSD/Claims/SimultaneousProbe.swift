/// The comparison of two hosts' claims to one name while both are probing (RFC 6762 section 8.2).
enum SimultaneousProbe: Hashable {
    /// Ours is the later in order: go on.
    case won
    /// Ours is the earlier in order: let the other go first.
    case lost
    /// Both claim the same records: no conflict.
    case equal

    /// Compares by class, type and data, record by record in that order; the list that ends first is the earlier.
    static func compare(ours: [ResourceRecord], theirs: [ResourceRecord]) -> SimultaneousProbe {
        let ours = ours.map(\.canonicalClaim).sorted { $0.lexicographicallyPrecedes($1) }
        let theirs = theirs.map(\.canonicalClaim).sorted { $0.lexicographicallyPrecedes($1) }
        if ours == theirs { return .equal }
        return ours.lexicographicallyPrecedes(theirs) { $0.lexicographicallyPrecedes($1) } ? .lost : .won
    }
}

extension ResourceRecord {
    fileprivate var canonicalClaim: [UInt8] {
        recordClass.rawValue.bigEndianBytes + type.rawValue.bigEndianBytes + data.canonicalBytes
    }
}
