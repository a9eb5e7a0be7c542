/// The service type and versions of HAP over IP.
public enum HAPVersion {
    /// The DNS-SD service type.
    public static let serviceType = "_hap._tcp"
    /// The protocol version in the TXT key `pv`.
    public static let txt = "1.1"
    /// The default protocol version if an advertisement has no `pv`.
    public static let txtDefault = "1.0"
    /// The value of the Version characteristic in the Protocol Information service.
    public static let characteristic = "1.1.0"
}
