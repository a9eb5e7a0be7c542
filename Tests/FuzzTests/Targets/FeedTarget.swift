import Foundation
import HomeIdentity

@testable import SealedFeed

extension FuzzTarget {
    /// Entries, envelopes and beats as a relay serves them, and entries that the hub itself has signed. The first byte chooses.
    static let sealedFeeds = FuzzTarget("sealed-feeds", maximumLength: 4_096) { input throws(Violation) in
        guard let choice = input.first else { return false }
        let bytes = Array(input.dropFirst())
        switch choice % 5 {
        case 0: return try FeedStage.shared.entry(bytes)
        case 1: return try FeedStage.shared.envelope(bytes)
        case 2: return try FeedStage.shared.beat(bytes)
        case 3: return try FeedStage.shared.signed(bytes)
        default: return try FeedStage.shared.content(bytes)
        }
    }
}

/// A reader with a key. Its feed, its hub and its device have fixed IDs, so that inputs can name them.
private struct FeedStage {
    static let shared = FeedStage()

    private let hub = UUID(uuid: (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))
    private let device = UUID(uuid: (2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2))
    private let key: IdentityKey
    private let generationKey: GenerationKey
    private let address: FeedAddress
    private let reader: FeedReader

    private init() {
        guard let key = IdentityKey(seed: [UInt8](repeating: 3, count: 32)),
            let generationKey = GenerationKey([UInt8](repeating: 4, count: 32)),
            let house = HouseID([UInt8](repeating: 5, count: 8)), let feed = FeedID([UInt8](repeating: 6, count: 16)),
            let box = BoxKey(seed: [UInt8](repeating: 7, count: 32))
        else { preconditionFailure("the lengths are right") }
        self.key = key
        self.generationKey = generationKey
        address = FeedAddress(house: house, feed: feed)
        var kept = KeptFeed(address, device: device)
        kept.generation = 1
        kept.keys[1] = generationKey
        reader = FeedReader(kept, hubs: [hub: key.publicKey], box: box)
    }

    func entry(_ bytes: [UInt8]) throws(Violation) -> Bool {
        var reader = reader
        switch Result(catching: { () throws(FeedError) in try reader.receive(bytes) }) {
        case .success(.fetchHubs), .success(.readFromBase):
            // It names another hub, which nothing is taken of.
            try hold(reader.kept == self.reader.kept, "a forged entry changes something")
        case .success: throw Violation(description: "a forged entry is taken")
        case .failure(let error):
            try hold(error.code == .relayLies && reader.kept.place == .start, "a forged entry changes something")
        }
        guard let entry = FeedEntry(bytes) else { return false }
        try hold(bytes.count <= FeedLimits.maximumEntryBytes, "an entry is too long")
        try hold(entry.bytes == bytes && entry.header.part.count <= FeedLimits.maximumParts, "an entry differs")
        return true
    }

    func envelope(_ bytes: [UInt8]) throws(Violation) -> Bool {
        var reader = reader
        let outcome = Result { () throws(FeedError) in try reader.receive(envelope: bytes) }
        guard case .failure = outcome else { throw Violation(description: "a forged envelope is taken") }
        try hold(reader.kept.keys.count == 1, "a forged envelope adds a key")
        return Envelope(bytes) != nil
    }

    func beat(_ bytes: [UInt8]) throws(Violation) -> Bool {
        var reader = reader
        let outcome = Result { () throws(FeedError) in try reader.receive(beat: bytes) }
        let beat = FeedBeat(bytes)
        // One that names another hub tells nothing.
        if case .success = outcome { try hold(beat?.hub != hub && beat?.address == address, "a forged beat is taken") }
        try hold(reader.kept == self.reader.kept || reader.kept.stop != nil, "a forged beat changes something")
        try hold(reader.kept.confirmed == .start, "a forged beat confirms something")
        return beat != nil
    }

    /// The hub has signed the input: a header, a line feed and a ciphertext.
    func signed(_ bytes: [UInt8]) throws(Violation) -> Bool {
        let line = Array(bytes.prefix { $0 != LineJSON.lineFeed })
        let rest = Array(bytes.dropFirst(line.count + 1))
        let entry = SignedLine(line, rest: rest, by: key, for: .feedEntry).bytes
        var reader = reader
        let outcome = Result { () throws(FeedError) in try reader.receive(entry) }
        try hold(reader.kept.place == .start, "an entry that nobody encrypted is taken")
        guard case .failure(let error) = outcome else { return true }
        try hold([.relayLies, .feedDamaged, .feedForked, .updateNeeded].contains(error.code), "an error has no name")
        return false
    }

    /// The hub has written the input.
    func content(_ bytes: [UInt8]) throws(Violation) -> Bool {
        let header = EntryHeader(
            address: address,
            hub: hub,
            isBase: bytes.last == LineJSON.lineFeed,
            generation: 1,
            term: 0,
            sequence: 1,
            previous: .zero,
            part: EntryHeader.Part(number: 1, count: 1),
            salt: [UInt8](repeating: 8, count: FeedLimits.saltByteCount),
            time: 1
        )
        let entry = FeedEntry(bytes, header: header, key: generationKey, by: key)
        var reader = reader
        guard
            case .success(.update(let update)) = Result(catching: { () throws(FeedError) in
                try reader.receive(entry.bytes)
            })
        else {
            try hold(reader.kept.stop?.code == .feedDamaged && reader.kept.seen == nil, "a damaged content is taken")
            return false
        }
        try hold(
            reader.kept.seen == update.content.seen && !update.isBase || update.content.events.count == 1,
            "it differs"
        )
        return true
    }
}
