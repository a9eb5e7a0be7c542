/// The keys of the TXT record in a HAP advertisement. Keys are case-insensitive (RFC 6763). Source: HAP specification,
/// table 6-7.
public enum TXTKey: String, CaseIterable, Sendable {
    /// The configuration number, which increases whenever the structure of the attribute database changes.
    case configurationNumber = "c#"
    /// The pairing features; see ``FeatureFlags``.
    case featureFlags = "ff"
    /// The device ID, `XX:XX:XX:XX:XX:XX`.
    case deviceID = "id"
    /// The model name.
    case model = "md"
    /// The protocol version.
    case protocolVersion = "pv"
    /// The state number, always 1 on IP.
    case stateNumber = "s#"
    /// The status; see ``StatusFlags``.
    case statusFlags = "sf"
    /// The category; see ``AccessoryCategory``.
    case category = "ci"
    /// The setup hash.
    case setupHash = "sh"
}
