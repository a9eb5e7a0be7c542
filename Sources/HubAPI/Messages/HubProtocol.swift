/// Constants of the protocol between clients and hub.
public enum HubProtocol {
    /// The version that this code speaks. Hub and client one version apart understand each other.
    public static let version = 1
    /// The most characteristics in one read, write or notify call.
    public static let characteristicsPerCall = 10_000
    /// The longest message that a hub takes from a client, in bytes.
    public static let requestLimit = 1 << 20
    /// The longest message that a client takes from a hub, in bytes: a snapshot of a very large home fits.
    public static let messageLimit = 1 << 28
}
