/// The comparison of names in the catalog, which ignores case, spaces and punctuation.
enum CatalogName {
    /// Returns the form of a name for comparison, which is the same for `Target Door State`, `TargetDoorState` and
    /// `target-door-state`. Returns `nil` for a string that can't be a name in the catalog.
    static func fold(_ name: some StringProtocol) -> String? {
        var folded: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): folded.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): folded.append(byte | 0x20)
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): continue
            default: return nil
            }
        }
        return folded.isEmpty ? nil : String(decoding: folded, as: UTF8.self)
    }
}
