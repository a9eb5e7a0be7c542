/// The service by which receivers say whether they play video.
enum VideoService {
    /// The service's type.
    static let type = "_airplay._tcp"
    /// The keys of the features. Each value is one or two hexadecimal numbers of 32 bits, the low one first.
    private static let keys = ["features", "ft"]
    private static let videoBit: UInt64 = 1

    /// Returns whether a TXT record has the feature of video.
    static func playsVideo(_ value: (String) -> String?) -> Bool {
        guard let text = keys.lazy.compactMap(value).first,
            let low = text.split(separator: ",").first?.split(separator: "x").last,
            let features = UInt64(low, radix: 16)
        else { return false }
        return features & videoBit != 0
    }
}
