package import Foundation
package import HomeIdentity

/// Reads one feed from a relay that isn't trusted, as a state machine: bytes go in, what follows from them comes out.
///
/// The hub alone writes a feed. So an entry is what the hub wrote, or the reader stops with an error that names what is
/// wrong, and shows nothing of it.
package struct FeedReader: Sendable {
    /// What follows from an entry.
    package enum Step: Hashable, Sendable {
        /// Store ``FeedReader/kept`` together with the changed copy, and then show it.
        case update(FeedUpdate)
        /// The entry is a part; read on.
        case partial
        /// The entry was read before, or can't be used; nothing follows.
        case ignored
        /// Entries are missing. Ask the relay for those after a number, once.
        case askAgain(after: Int)
        /// The hub has begun again. Ask the relay for the entries from its last base on, once.
        case readFromBase
        /// Get the envelope of a generation for this device, give it to ``FeedReader/receive(envelope:)``, and then give
        /// the entry again. If there is none, call ``FeedReader/hasNoEnvelope()``.
        case fetchEnvelope(generation: Int)
        /// A hub has written the entry that this device doesn't know. Get the lists of hubs of a generation for this device, read
        /// them with ``FeedReader/hubLists(in:of:)``, set ``FeedReader/hubs`` to those that are believed, and then give the entry
        /// again. If the hub isn't one of them, call ``FeedReader/hubIsUnknown()``.
        case fetchHubs(generation: Int)
    }

    /// Parts of a content that isn't complete.
    struct Run: Sendable {
        var headers: [EntryHeader]
        var marks: [KeptFeed.Mark]
        var pieces: [UInt8]
    }

    /// What to store.
    package internal(set) var kept: KeptFeed
    /// The keys of the hubs that may write the feed, by ID: the one that this device has joined, or those of the signed list.
    package var hubs: [UUID: PublicKey]
    /// The device's box.
    let box: BoxKey
    /// The parts so far. They are read again after a restart.
    var run: Run?
    /// Whether the relay was asked again for entries that it left out.
    var hasAskedAgain = false

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - kept: The stored state, or that of a reader that has read nothing.
    ///   - hubs: The keys of the hubs that may write the feed, by ID.
    ///   - box: The device's box.
    package init(_ kept: KeptFeed, hubs: [UUID: PublicKey], box: BoxKey) {
        self.kept = kept
        self.hubs = hubs
        self.box = box
    }

    /// The number of the last entry that the reader has. It asks for the entries after it.
    package var lastSequence: Int { place.sequence }

    /// The last entry, including the parts of an incomplete content.
    package var place: FeedPlace {
        guard let header = run?.headers.last, let mark = run?.marks.last else { return kept.place }
        return FeedPlace(term: header.term, sequence: mark.sequence, head: mark.digest)
    }

    // MARK: Entries

    /// Handles an entry from the relay.
    ///
    /// - Parameters:
    ///   - bytes: The entry.
    ///   - isReadable: A closure that returns whether the events of an update can be decoded.
    /// - Throws: The reason why nothing more is taken from the relay.
    package mutating func receive(
        _ bytes: [UInt8],
        isReadable: (FeedUpdate) -> Bool = { _ in true }
    ) throws(FeedError) -> Step {
        if let stop = kept.stop { throw stop }
        guard let signed = FeedEntry.split(bytes), let preamble = signed.preamble else {
            throw stopped(.relayLies("it isn't an entry"))
        }
        guard FeedAddress(house: preamble.house, feed: preamble.feed) == kept.address else {
            throw stopped(.relayLies("it is an entry of another feed"))
        }
        guard let hub = hubs[preamble.hub] else {
            guard let header = FeedEntry(bytes, signed)?.header else { return try hubIsUnknown() }
            return .fetchHubs(generation: header.generation)
        }
        guard signed.isSigned(by: hub, for: .feedEntry) else {
            throw stopped(.relayLies("the hub hasn't signed it"))
        }
        guard preamble.version == FeedLimits.version else { throw .updateNeeded }
        guard let entry = FeedEntry(bytes, signed) else { throw stopped(.feedDamaged("its header is invalid")) }
        if let step = try locate(entry) { return step }
        return try read(entry, isReadable)
    }

    /// Checks the place of an entry. Returns what follows if it isn't the next one.
    private mutating func locate(_ entry: FeedEntry) throws(FeedError) -> Step? {
        let header = entry.header
        let place = place
        let isStart = header.isBase && header.part.isFirst
        if kept.awaitsBase, run == nil {
            let isLater = kept.place.isBefore(
                FeedPlace(term: header.term, sequence: header.sequence, head: entry.digest)
            )
            return isStart && isLater ? nil : .ignored
        }
        guard header.term >= place.term else { return .ignored }
        if header.sequence == place.sequence + 1 {
            if header.previous == place.head { return nil }
            guard header.term == place.term else { return isStart ? nil : try missing(.readFromBase) }
            throw forked(entry, mine: run == nil ? kept.lastEntry : [])
        }
        if header.term > place.term { return isStart ? nil : try missing(.readFromBase) }
        if header.sequence > place.sequence {
            return isStart ? nil : try missing(.askAgain(after: place.sequence))
        }
        // The hub has written this place before.
        let marks = kept.marks + (run?.marks ?? [])
        if let mark = marks.last(where: { $0.sequence == header.sequence }), mark.digest != entry.digest {
            let isLast = kept.place.sequence == header.sequence
            throw forked(entry, mine: isLast ? kept.lastEntry : [])
        }
        return .ignored
    }

    /// Handles that the relay has left out entries. Returns what to ask it for, once.
    mutating func missing(_ step: Step) throws(FeedError) -> Step {
        guard !hasAskedAgain else { throw stopped(.relayLies("it leaves out entries")) }
        hasAskedAgain = true
        return step
    }

    private mutating func read(_ entry: FeedEntry, _ isReadable: (FeedUpdate) -> Bool) throws(FeedError) -> Step {
        let header = entry.header
        if header.isBase, header.part.isFirst {
            // The hub begins again after a crash in the middle of a content.
            run = nil
        }
        if let last = run?.headers.last {
            guard header.part.number == last.part.number + 1, header.part.count == last.part.count,
                header.isBase == last.isBase, header.generation == last.generation, header.term == last.term
            else { throw stopped(.feedDamaged("its parts don't belong together")) }
        } else {
            guard header.part.isFirst else { throw stopped(.feedDamaged("its first part is missing")) }
            let isNewer = header.generation > kept.generation
            guard header.generation == kept.generation || (isNewer && header.isBase) else {
                throw stopped(.feedDamaged("its key isn't the current one"))
            }
        }
        guard let key = kept.keys[header.generation] else { return .fetchEnvelope(generation: header.generation) }
        guard let piece = entry.open(with: key) else { throw stopped(.feedDamaged("it can't be decrypted")) }
        hasAskedAgain = false
        var run = self.run ?? Run(headers: [], marks: [], pieces: [])
        run.headers.append(header)
        run.marks.append(KeptFeed.Mark(sequence: header.sequence, digest: entry.digest))
        run.pieces += piece
        guard header.part.isLast else {
            self.run = run
            return .partial
        }
        return try complete(run, entry, isReadable)
    }

    /// Checks a complete content, and takes it.
    private mutating func complete(
        _ run: Run,
        _ entry: FeedEntry,
        _ isReadable: (FeedUpdate) -> Bool
    ) throws(FeedError) -> Step {
        let header = entry.header
        guard let content = FeedContent(run.pieces) else { throw stopped(.feedDamaged("its lines are invalid")) }
        if let seen = kept.seen, !content.seen.follow(seen) { throw stopped(.feedDamaged("it goes back")) }
        let update = FeedUpdate(isBase: header.isBase, content: content, time: header.time)
        guard !header.isBase || content.events.count == 1, isReadable(update) else {
            throw stopped(.feedDamaged("its events can't be read"))
        }
        self.run = nil
        let isSameTerm = header.term == kept.place.term
        kept.place = FeedPlace(term: header.term, sequence: header.sequence, head: entry.digest)
        kept.seen = content.seen
        if header.time > 0 { kept.asOf = header.time }
        kept.generation = header.generation
        kept.keys = kept.keys.filter { $0.key >= header.generation }
        kept.marks = ((isSameTerm ? kept.marks : []) + run.marks).suffix(FeedLimits.rememberedEntries)
        kept.lastEntry = entry.bytes
        kept.awaitsBase = false
        return .update(update)
    }

    // MARK: Errors

    /// Returns an error after which nothing is read until the hub was met.
    mutating func stopped(_ error: FeedError) -> FeedError {
        if error.needsHub { kept.stop = error }
        run = nil
        return error
    }

    private mutating func forked(_ entry: FeedEntry, mine: [UInt8]) -> FeedError {
        kept.evidence = [mine, entry.bytes].filter { !$0.isEmpty }
        return stopped(.feedForked)
    }
}
