/// The documents of an ``AccessoryStorage``.
public enum StorageDocument: String, CaseIterable, Hashable, Sendable {
    /// The device ID, long-term key, setup code and setup ID. The document is secret, and only a factory reset changes
    /// it.
    case credentials
    /// The paired controllers, and the number of wrong setup codes.
    case pairings
    /// The assigned aids and iids, and the configuration number.
    case attributes
    /// Data of the server's owner. The server neither reads nor writes it.
    case description
    /// The Wi-Fi network that the accessory joined. The server neither reads nor writes it.
    case network
}
