/// How names of the catalog compare: letters and digits only, without regard to case.
enum CatalogName {
    /// The form under which a name is found: `Target Door State`, `TargetDoorState` and `target-door-state` agree.
    /// `nil` for what cannot be a name of the catalog.
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
