package import Foundation
import HAP
package import HomeIdentity

/// Writes one feed, as a value: contents go in, signed entries for the relay come out.
///
/// The owner appends ``next`` at the relay if the relay's head is ``WriterState/place``, calls ``appended()`` or
/// ``refused(by:)``, and stores ``state`` soon: what that lacks after a crash is taken over from the relay. Entries that aren't at the relay yet are lost with the
/// writer; ``reconcile(with:_:isKnown:)`` finds out which the relay has.
package struct EntryWriter: Sendable {
    /// The state to store.
    package internal(set) var state: WriterState
    /// The keys of the state's generation and of the one before it. The owner stores them as secrets.
    package private(set) var keys: [Int: GenerationKey]
    /// The hub's ID.
    let hub: UUID
    let hubKey: IdentityKey
    /// The keys of the other hubs that keep the homes, or did, by ID: the feed may have entries of theirs.
    let others: [UUID: PublicKey]
    /// The leadership in which this hub writes.
    let leadership: FeedLeadership
    /// The entries of the last content that the relay doesn't have, and the content's position.
    var pending: [FeedEntry] = []
    private var pendingSeen: FeedCursors?

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - state: The stored state, or that of a feed without an entry.
    ///   - keys: The stored keys, by generation. Those of the state's generation and of the one before it are needed.
    ///   - hub: The hub's ID.
    ///   - hubKey: The hub's key, which signs.
    ///   - others: The keys of the other hubs that keep the homes, or did, by ID.
    ///   - leadership: The leadership in which this hub writes.
    package init(
        _ state: WriterState,
        keys: [Int: GenerationKey],
        hub: UUID,
        hubKey: IdentityKey,
        others: [UUID: PublicKey] = [:],
        leadership: FeedLeadership = .alone
    ) {
        self.state = state
        self.keys = keys
        self.hub = hub
        self.hubKey = hubKey
        self.others = others
        self.leadership = leadership
    }

    // MARK: Keys

    /// The key of the state's generation; `nil` before the first one.
    package var key: GenerationKey? { keys[state.generation] }

    /// Returns whether a new generation must begin before anything is written: at the start, because the last one is old, or
    /// because a crash came between its beginning and its envelopes.
    ///
    /// - Parameter time: The hub's time in milliseconds since 1970; 0 if its clock was never set.
    package func isGenerationDue(at time: Int) -> Bool {
        guard key != nil, state.storedGeneration == state.generation else { return true }
        return time > 0 && time - state.generationTime > FeedLimits.generationTime
    }

    /// Begins a new generation, because a device was removed or ``isGenerationDue(at:)``. Store the key, then the state, then
    /// put the envelopes at the relay, and then call ``envelopesStored()``. Nothing can be written in between.
    ///
    /// - Parameter devices: The boxes of the devices that the feed is for from now on.
    /// - Returns: The envelopes. A device whose box isn't a key gets none.
    package mutating func beginGeneration(for devices: [UUID: PublicBox], at time: Int) -> [Envelope] {
        // What was encrypted for the former devices must not be appended any longer.
        discardPending()
        let former = state.generation
        state.generation = max(state.generation + 1, leadership.firstTerm)
        // An entry of the generation before may be at the relay without the writer's knowing it yet.
        keys = keys.filter { $0.key == former }
        keys[state.generation] = GenerationKey()
        state.generationTime = time
        state.needsBase = true
        return devices.sorted { $0.key.uuidString < $1.key.uuidString }.compactMap { try? envelope(for: $0, $1) }
    }

    /// Handles that the relay has the envelopes of the generation.
    package mutating func envelopesStored() {
        state.storedGeneration = state.generation
    }

    /// Returns the envelope of the generation for a device, for example one that was added.
    package func envelope(for device: UUID, _ box: PublicBox) throws(FeedError) -> Envelope {
        guard let key else { throw .notNow("The feed has no key yet.") }
        let envelope = Envelope(
            key,
            generation: state.generation,
            of: state.address,
            to: device,
            box,
            hub: hub,
            by: hubKey
        )
        guard let envelope else { throw .invalidBox }
        return envelope
    }

    // MARK: Entries

    /// Whether the next content must be a base.
    package var isBaseDue: Bool {
        state.needsBase || state.entriesSinceBase >= FeedLimits.entriesPerBase
            || state.bytesSinceBase >= FeedLimits.bytesPerBase * state.baseBytes
    }

    /// The next entry to append; `nil` if the relay has all.
    package var next: FeedEntry? { pending.first }

    /// Encrypts and signs a content.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - isBase: Whether it is the full state.
    ///   - time: The hub's time in milliseconds since 1970; 0 if its clock was never set.
    /// - Throws: `contentTooLarge`, or `notNow` if the former content isn't at the relay, its keys aren't, or a base is due.
    package mutating func write(_ content: FeedContent, isBase: Bool, at time: Int) throws(FeedError) {
        guard pending.isEmpty else { throw .notNow("The former content isn't at the relay yet.") }
        guard let key, state.storedGeneration == state.generation else {
            throw .notNow("The keys aren't at the relay yet.")
        }
        guard isBase || !isBaseDue else { throw .notNow("A base is due.") }
        let bytes = content.bytes
        guard bytes.count <= FeedLimits.maximumContentBytes else { throw .contentTooLarge }
        var generator = SystemRandomNumberGenerator()
        let starts = stride(from: 0, to: bytes.count, by: FeedLimits.maximumPieceBytes)
        var previous = state.place.head
        for (index, start) in starts.enumerated() {
            let header = EntryHeader(
                address: state.address,
                hub: hub,
                isBase: isBase,
                generation: state.generation,
                term: state.place.term,
                sequence: state.place.sequence + 1 + index,
                previous: previous,
                part: EntryHeader.Part(number: index + 1, count: starts.underestimatedCount),
                salt: generator.bytes(FeedLimits.saltByteCount),
                time: time
            )
            let end = min(start + FeedLimits.maximumPieceBytes, bytes.count)
            let entry = FeedEntry(Array(bytes[start..<end]), header: header, key: key, by: hubKey)
            pending.append(entry)
            previous = entry.digest
        }
        pendingSeen = content.seen
    }

    /// Handles that the relay has ``next``.
    package mutating func appended() {
        guard !pending.isEmpty else { return }
        take(pending.removeFirst(), seen: pendingSeen)
    }

    /// Counts an entry that the relay has.
    mutating func take(_ entry: FeedEntry, seen: FeedCursors?) {
        let header = entry.header
        state.place = FeedPlace(term: header.term, sequence: header.sequence, head: entry.digest)
        let isNewBase = header.isBase && header.part.isFirst
        if isNewBase { (state.baseBytes, state.bytesSinceBase, state.entriesSinceBase) = (0, 0, 0) }
        if header.isBase {
            state.baseBytes += entry.bytes.count
        } else {
            state.bytesSinceBase += entry.bytes.count
            state.entriesSinceBase += 1
        }
        // Until its last part is at the relay, the content is one that a crash would cut off.
        state.needsBase = !header.part.isLast || header.generation < state.generation
        if header.part.isLast, let seen { state.seen = seen }
    }

    /// Drops the entries that the relay doesn't have. If it has the first of them, a base follows.
    mutating func discardPending() {
        pending = []
        pendingSeen = nil
    }

    // MARK: Beats

    /// Returns the statement that the feed has no news.
    package func beat(at time: Int) -> FeedBeat {
        FeedBeat(state.place, of: state.address, at: time, hub: hub, by: hubKey)
    }
}
