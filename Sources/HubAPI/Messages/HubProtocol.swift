/// Constants of the protocol between clients and hub.
public enum HubProtocol {
    /// The version that this code speaks. Hub and client one version apart understand each other; those further apart
    /// refuse each other by name. So a change that one end can do without counts one, any other counts two.
    public static let version = 3
    /// The most characteristics in one read, write or notify call.
    public static let characteristicsPerCall = 10_000
    /// The longest message that a hub takes from a client, in bytes.
    public static let requestLimit = 1 << 20
    /// The longest message that a client takes from a hub, in bytes: a snapshot of a very large home fits.
    public static let messageLimit = 1 << 28

    /// Whether an app is one of the hub's own, `hearth` or `hearth.…`, which nobody is asked about.
    public static func isOwnApp(_ app: String) -> Bool {
        app == "hearth" || app.hasPrefix("hearth.")
    }
}
