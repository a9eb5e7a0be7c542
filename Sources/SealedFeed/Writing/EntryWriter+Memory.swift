import HomeIdentity

/// What to do if the relay's head isn't where the writer left it: the relay, the hub or both have lost their memory.
extension EntryWriter {
    /// The relay's head, compared with the writer's state.
    package enum Comparison: Hashable, Sendable {
        /// The relay is where the writer left it.
        case same
        /// The relay has ``EntryWriter/next``: the answer to appending it was lost. Call ``EntryWriter/appended()``.
        case nextAppended
        /// Get the relay's entries after a number, and call ``EntryWriter/reconcile(with:_:isKnown:)``.
        case entriesNeeded(after: Int)
    }

    /// Whether this hub doesn't go on with what it wrote before: it is alone now, or leads anew, and the other hub may have written
    /// since. Call ``goOn(behind:_:)``.
    package var takesOver: Bool { (state.leadership ?? .alone) != leadership }

    /// Compares the relay's head with the state: at the start, and after the relay has refused an entry.
    package func compare(with head: RelayHead) -> Comparison {
        if head.sequence == state.place.sequence, head.digest == state.place.head { return .same }
        if let next, head.sequence == next.header.sequence, head.digest == next.digest { return .nextAppended }
        return .entriesNeeded(after: max(0, min(state.place.sequence, head.sequence - 1)))
    }

    /// Handles entries that the writer doesn't expect at the relay.
    ///
    /// - An entry that follows the state's is the hub's own, appended right before a crash: it is taken over.
    /// - A head that the hub has written before means that the relay was restored from an older copy: a base follows there,
    ///   in a new term, from which readers see that the hub has begun again.
    /// - Entries that the hub has signed and whose content it doesn't know mean that the hub itself was set back, or that a
    ///   copy of it has written them. It must not write over them.
    ///
    /// - Parameters:
    ///   - head: The relay's head.
    ///   - entries: The relay's entries after the number that ``compare(with:)`` has named.
    ///   - isKnown: A closure that returns whether this hub has written a content, and its logs have reached the position.
    /// - Throws: `relayLies` if the hub hasn't signed an entry, `storeRolledBack` if the hub was set back.
    package mutating func reconcile(
        with head: RelayHead,
        _ entries: [[UInt8]],
        isKnown: (FeedContent) -> Bool
    ) throws(FeedError) {
        guard head.sequence > 0 || head.digest == .zero else {
            throw .relayLies("it names an entry before the first one")
        }
        guard head.sequence > 0 else { return beginAgain(at: .start) }
        let own = try signedEntries(entries, upTo: head)
        guard let last = own.last else { throw .relayLies("it leaves out entries") }
        if head.sequence <= state.place.sequence {
            guard head.sequence < state.place.sequence, isKnownContent(of: last, isKnown) else {
                throw rolledBack(last)
            }
            return beginAgain(at: place(of: last))
        }
        try takeOver(own, isKnown)
    }

    /// Goes on behind the relay's head although the hub doesn't know what it has there, in a new lineage of its logs: after a
    /// backup was restored, because a person has decided so, or because another hub has written there. A new generation must begin
    /// before anything is written.
    ///
    /// - Parameters:
    ///   - head: The relay's head.
    ///   - entry: The relay's last entry; `nil` if there is none.
    /// - Throws: `relayLies` if no hub of the homes has signed the entry, `notNow` if the other hub leads since.
    package mutating func goOn(behind head: RelayHead, _ entry: [UInt8]?) throws(FeedError) {
        guard head.sequence > 0 else { return beginAgain(at: .start) }
        guard let last = try signedEntries(entry.map { [$0] } ?? [], upTo: head).last else {
            throw .relayLies("it leaves out entries")
        }
        // The key of that generation may be unknown, or known to devices that the hub doesn't know.
        state.generation = max(state.generation, last.header.generation)
        beginAgain(at: place(of: last))
    }

    /// Checks that entries are those of the hubs of the homes, one after another, up to the relay's head.
    private func signedEntries(_ entries: [[UInt8]], upTo head: RelayHead) throws(FeedError) -> [FeedEntry] {
        var own: [FeedEntry] = []
        for bytes in entries {
            guard let entry = FeedEntry(bytes), entry.header.address == state.address,
                let key = entry.header.hub == hub ? hubKey.publicKey : others[entry.header.hub],
                entry.isSigned(by: key)
            else { throw .relayLies("this hub hasn't signed an entry") }
            guard !leadership.isBefore(entry.header.term) else {
                throw .notNow("The other hub leads, and writes the feed.")
            }
            if let last = own.last {
                guard entry.header.sequence == last.header.sequence + 1, entry.header.previous == last.digest else {
                    throw .relayLies("its entries don't follow each other")
                }
            }
            own.append(entry)
        }
        guard let last = own.last, last.header.sequence == head.sequence, last.digest == head.digest else {
            throw .relayLies("its last entry isn't its head")
        }
        return own
    }

    /// Takes over the entries that were appended right before a crash.
    private mutating func takeOver(_ entries: [FeedEntry], _ isKnown: (FeedContent) -> Bool) throws(FeedError) {
        guard let first = entries.first, let last = entries.last else { return }
        let follows =
            first.header.sequence == state.place.sequence + 1 && first.header.previous == state.place.head
            && entries.allSatisfy { $0.header.term == state.place.term && $0.header.hub == hub }
        guard follows else { throw rolledBack(last) }
        var taken = self
        taken.discardPending()
        var pieces: [UInt8] = []
        // The crash may have come in the middle of a content whose first parts were noted.
        var isWhole = first.header.part.isFirst
        for entry in entries {
            guard let piece = keys[entry.header.generation].flatMap({ entry.open(with: $0) }) else {
                throw rolledBack(last)
            }
            if entry.header.part.isFirst { (pieces, isWhole) = ([], true) }
            pieces += piece
            guard entry.header.part.isLast, isWhole else {
                taken.take(entry, seen: nil)
                taken.state.needsBase = true
                continue
            }
            guard let content = FeedContent(pieces), isKnown(content) else { throw rolledBack(last) }
            taken.take(entry, seen: content.seen)
        }
        self = taken
    }

    /// Returns whether an older entry's content is known to the hub's logs. An entry whose key is gone is older than the
    /// hub's state.
    private func isKnownContent(of entry: FeedEntry, _ isKnown: (FeedContent) -> Bool) -> Bool {
        // A later term was begun by a copy of the hub.
        guard entry.header.term <= state.place.term else { return false }
        guard let key = keys[entry.header.generation] else { return entry.header.generation < state.generation }
        guard let piece = entry.open(with: key) else { return false }
        // Of several parts, the position is in the first one only. They are as old as their generation.
        guard entry.header.part.count == 1 else { return true }
        return FeedContent(piece).map(isKnown) ?? false
    }

    private func rolledBack(_ last: FeedEntry) -> FeedError {
        .storeRolledBack(changes: max(1, last.header.sequence - state.place.sequence), until: last.header.time)
    }

    private func place(of entry: FeedEntry) -> FeedPlace {
        FeedPlace(term: entry.header.term, sequence: entry.header.sequence, head: entry.digest)
    }

    /// Begins again with a base at a place, in a term that no reader has seen, and in a generation whose envelopes the relay
    /// gets again.
    private mutating func beginAgain(at place: FeedPlace) {
        discardPending()
        state.storedGeneration = 0
        let term = max(max(place.term, state.place.term) + 1, leadership.firstTerm)
        state.leadership = leadership
        state.place = FeedPlace(term: term, sequence: place.sequence, head: place.head)
        state.needsBase = true
    }
}
