import Foundation
import HomeIdentity
import HubAPI
import SealedFeed

/// Reads what a hub has written to a feed, with the hub's own keys.
struct FeedContents {
    /// The homes as the feed's person sees them.
    private(set) var state = HubState()
    /// The number of entries.
    private(set) var count = 0

    /// Reads the entries of a feed, from a base to the last one.
    ///
    /// - Parameters:
    ///   - entries: The entries.
    ///   - head: The relay's last entry.
    ///   - hub: The hub's public key.
    ///   - keys: The keys of the feed, by generation.
    /// - Throws: `relayLies` if the hub hasn't written it so, `notAddressed` if the hub lacks a key.
    init(
        _ entries: [[UInt8]],
        upTo head: RelayHead,
        of address: FeedAddress,
        by hub: PublicKey,
        keys: [Int: GenerationKey]
    ) throws(FeedError) {
        var last: FeedEntry?
        var pieces: [UInt8] = []
        for bytes in entries {
            guard let entry = FeedEntry(bytes), entry.header.address == address, entry.isSigned(by: hub),
                last.map({ entry.header.previous == $0.digest }) ?? (entry.header.isBase && entry.header.part.isFirst)
            else { throw Self.lie }
            last = entry
            guard let piece = keys[entry.header.generation].flatMap({ entry.open(with: $0) }) else {
                throw FeedError(.notAddressed, "The hub has no key for what the relay has.")
            }
            if entry.header.part.isFirst { pieces = [] }
            pieces += piece
            guard entry.header.part.isLast else { continue }
            guard let content = FeedContent(pieces) else { throw Self.lie }
            for line in content.events {
                guard let message = try? WireMessage.message(from: Data(line)), case .event(let event) = message else {
                    throw FeedError(.feedDamaged, "An entry of the feed can't be read.")
                }
                state.apply(event)
            }
            count += 1
        }
        guard let last, last.header.sequence == head.sequence, last.digest == head.digest else { throw Self.lie }
    }

    private static let lie = FeedError(.relayLies, "The relay has something that this hub hasn't written.")
}
