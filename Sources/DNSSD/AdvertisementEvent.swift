/// Something that happened to an ``Advertisement`` after it was established.
public enum AdvertisementEvent: Hashable, Sendable {
    /// Another host had or claimed the name, so the service goes by a new one, which is announced already.
    case renamed(from: String, to: String)
}
