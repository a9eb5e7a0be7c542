package import Foundation
package import HomeIdentity
package import HubAPI
import RelayAPI
package import RelayClient
package import SealedFeed

/// A device that reads its person's feed at a relay.
package struct FeedFollower {
    /// The relay, as the device asks it.
    package let client: RelayClient
    /// What the device has read.
    package private(set) var reader: FeedReader
    /// The homes, as the device knows them.
    package private(set) var view = HubState()
    /// The headers of the entries, in order.
    package private(set) var headers: [EntryHeader] = []
    private var isBegun = false

    /// The terms of the entries.
    package var terms: Set<Int> { Set(headers.map(\.term)) }

    /// Creates a device that has read nothing.
    ///
    /// - Parameters:
    ///   - location: Where the hub says that the feed is.
    ///   - hub: The hub's key.
    package init(_ location: FeedLocation, hub: PublicKey, box: BoxKey, relayKey: IdentityKey) throws {
        try self.init(location, hubs: [location.hub: hub], box: box, relayKey: relayKey)
    }

    /// Creates a device that has read nothing and knows several hubs.
    package init(_ location: FeedLocation, hubs: [UUID: PublicKey], box: BoxKey, relayKey: IdentityKey) throws {
        guard let house = HouseID(hex: location.house), let feed = FeedID(hex: location.feed) else {
            throw CocoaError(.coderInvalidValue)
        }
        client = try RelayClient(location.relay, as: relayKey)
        let kept = KeptFeed(FeedAddress(house: house, feed: feed), device: location.device)
        reader = FeedReader(kept, hubs: hubs, box: box)
    }

    private var address: FeedAddress { reader.kept.address }

    /// Reads what is new, from the last base on the first time.
    ///
    /// - Throws: An error of the relay's, or the reason why the reader believes nothing more.
    package mutating func read() async throws {
        let status = try await client.status(of: address.feed, in: address.house)
        let head = RelayHead(sequence: Int(status.seq), digest: status.head)
        var next = max(0, status.base - 1)
        if isBegun {
            do throws(FeedError) {
                switch try reader.compare(with: head) {
                case .same: return
                case .more(let number): next = Int64(number)
                case .fromBase: break
                }
            } catch {
                // If the hub has begun again, that settles it.
                guard error.code == .relayRolledBack, next < reader.lastSequence else { throw error }
            }
        }
        isBegun = true
        while true {
            let page = try await client.entries(of: address.feed, in: address.house, after: next)
            guard !page.isEmpty else { return }
            next += Int64(page.count)
            for entry in page { try await receive(Array(entry)) }
        }
    }

    private mutating func receive(_ entry: [UInt8]) async throws {
        if let header = FeedEntry(entry)?.header { headers.append(header) }
        var step = try reader.receive(entry)
        if case .fetchEnvelope(let generation) = step {
            let envelope: Data
            do {
                envelope = try await client.envelope(
                    Int64(generation),
                    to: reader.kept.device,
                    of: address.feed,
                    in: address.house
                )
            } catch {
                throw reader.hasNoEnvelope()
            }
            try reader.receive(envelope: Array(envelope))
            step = try reader.receive(entry)
        }
        guard case .update(let update) = step else { return }
        for line in update.content.events {
            if case .event(let event)? = try WireMessage.message(from: Data(line)) { view.apply(event) }
        }
    }
}
