/// The documents of an ``AccessoryStorage``.
public enum StorageDocument: String, CaseIterable, Hashable, Sendable {
    /// Device ID, long-term key, setup code and setup ID. Secret, and changed by a factory reset only.
    case credentials
    /// The paired controllers, and how often a wrong setup code was tried.
    case pairings
    /// Which aid and iid belongs to what, and the configuration number.
    case attributes
    /// What the server's owner keeps beside them; the server neither reads nor writes it.
    case description
}
