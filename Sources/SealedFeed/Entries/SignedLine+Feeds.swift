import Foundation
import HomeIdentity

extension SignedLine {
    /// The keys that the line of every version has. So an unknown version is believed only if the hub has signed it.
    struct Preamble: Codable {
        var version: Int
        var house: HouseID
        var feed: FeedID
        var hub: UUID
    }

    /// The keys that every version has; `nil` if the line lacks them.
    var preamble: Preamble? { LineJSON.decode(Preamble.self, from: line) }
}

extension SigningContext {
    /// Entries of feeds.
    static let feedEntry = SigningContext("hearth feed entry 1")
    /// Envelopes with keys.
    static let envelope = SigningContext("hearth envelope 1")
    /// Lists of hubs for devices. Each has a signature of its own, so this is a purpose of encryption alone.
    static let hubLists = SigningContext("hearth hub lists 1")
    /// Vaults.
    static let vault = SigningContext("hearth vault 1")
    /// Beats.
    static let beat = SigningContext("hearth beat 1")
}
