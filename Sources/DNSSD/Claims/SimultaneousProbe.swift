/// The comparison of two hosts' claims to a name while both are probing (RFC 6762 section 8.2).
enum SimultaneousProbe: Hashable {
    /// This host's records come later in order: continue.
    case won
    /// This host's records come earlier in order: yield to the other host.
    case lost
    /// Both hosts claim the same records, which isn't a conflict.
    case equal

    /// Compares records by class, type and data, one by one. If one list is the beginning of the other, it comes
    /// earlier.
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
