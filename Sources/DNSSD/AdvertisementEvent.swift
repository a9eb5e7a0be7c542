/// An event of an ``Advertisement`` after it was established.
public enum AdvertisementEvent: Hashable, Sendable {
    /// The service was renamed because another host had or claimed the name. The new name is already announced.
    case renamed(from: String, to: String)
}
