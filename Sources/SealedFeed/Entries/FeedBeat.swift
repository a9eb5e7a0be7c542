package import Foundation
package import HomeIdentity

/// The hub's statement that a feed had no news until a time, so that a relay can't hide news without being found out.
package struct FeedBeat: Hashable, Sendable {
    private struct Line: Codable {
        var version: Int
        var house: HouseID
        var feed: FeedID
        var hub: UUID
        var term: Int
        var seq: Int
        var head: EntryDigest
        var time: Int
    }

    /// All bytes.
    package let bytes: [UInt8]
    /// The feed.
    package let address: FeedAddress
    /// The hub that signs.
    package let hub: UUID
    /// The last entry.
    package let place: FeedPlace
    /// The hub's time in milliseconds since 1970; 0 if its clock was never set.
    package let time: Int
    private let signed: SignedLine

    /// Reads a beat. Returns `nil` if the bytes aren't a beat of this version. Its signature isn't checked.
    package init?(_ bytes: [UInt8]) {
        guard let signed = SignedLine(bytes, maximumLineBytes: FeedLimits.headerBytes), signed.rest.isEmpty,
            let line = LineJSON.decode(Line.self, from: signed.line), line.version == FeedLimits.version,
            [line.term, line.seq, line.time].allSatisfy({ (0...FeedLimits.maximumNumber).contains($0) })
        else { return nil }
        self.bytes = bytes
        self.signed = signed
        address = FeedAddress(house: line.house, feed: line.feed)
        hub = line.hub
        place = FeedPlace(term: line.term, sequence: line.seq, head: line.head)
        time = line.time
    }

    /// Signs a beat.
    init(_ place: FeedPlace, of address: FeedAddress, at time: Int, hub: UUID, by key: IdentityKey) {
        let line = Line(
            version: FeedLimits.version,
            house: address.house,
            feed: address.feed,
            hub: hub,
            term: place.term,
            seq: place.sequence,
            head: place.head,
            time: time
        )
        signed = SignedLine(LineJSON.encode(line), by: key, for: .beat)
        bytes = signed.bytes
        self.address = address
        self.hub = hub
        self.place = place
        self.time = time
    }

    /// Returns whether a hub has signed the beat.
    package func isSigned(by hub: PublicKey) -> Bool { signed.isSigned(by: hub, for: .beat) }
}
