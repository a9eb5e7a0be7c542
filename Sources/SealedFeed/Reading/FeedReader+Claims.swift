package import HomeIdentity

/// Keys, and the claims of relay and hub about the end of the feed.
extension FeedReader {
    /// The relay's claim about the end of the feed, compared with what the reader has.
    package enum Comparison: Hashable, Sendable {
        /// The reader has everything.
        case same
        /// The relay has entries after a number.
        case more(after: Int)
        /// Only a later base helps, because entries before it can't be read. Ask the relay for the entries from its last base
        /// on; it may have none yet.
        case fromBase
    }

    // MARK: Envelopes

    /// Takes the key of a generation from an envelope.
    ///
    /// - Parameters:
    ///   - bytes: The envelope.
    ///   - generation: The generation that was asked for; `nil` for any.
    /// - Throws: `relayLies` if the hub hasn't signed it, or it is another generation's; `notAddressed` if it is for another
    ///   device.
    package mutating func receive(envelope bytes: [UInt8], of generation: Int? = nil) throws(FeedError) {
        if let stop = kept.stop { throw stop }
        guard let envelope = Envelope(bytes), envelope.address == kept.address, let hub = hubs[envelope.hub],
            envelope.isSigned(by: hub)
        else { throw stopped(.relayLies("the hub hasn't written this envelope")) }
        guard generation == nil || envelope.generation == generation else {
            throw stopped(.relayLies("it is the envelope of another generation"))
        }
        guard envelope.device == kept.device, let key = envelope.open(with: box, from: hub) else {
            throw stopped(.notAddressed)
        }
        guard envelope.generation >= kept.generation else { return }
        kept.keys[envelope.generation] = key
        // The relay can repeat old envelopes, but only the hub makes new ones.
        let newest = kept.keys.keys.sorted().suffix(FeedLimits.keptKeys)
        kept.keys = kept.keys.filter { newest.contains($0.key) || $0.key == kept.generation }
    }

    /// Handles that the relay has no envelope for this device.
    package mutating func hasNoEnvelope() -> FeedError { stopped(.notAddressed) }

    // MARK: Hubs

    /// Returns the lists of hubs from what the relay has of a generation. Whether they are believed isn't for the reader to say.
    ///
    /// - Throws: `relayLies` if it isn't for this device. The reader isn't stopped: it takes nothing of a hub that it doesn't know.
    package func hubLists(in bytes: [UInt8], of generation: Int) throws(FeedError) -> HubListChain {
        guard let sealed = SealedHubLists(bytes), sealed.address == kept.address, sealed.generation == generation,
            sealed.device == kept.device, let lists = sealed.open(with: box)
        else { throw .relayLies("its list of hubs isn't for this device") }
        return lists
    }

    /// Handles that no list names the hub that has written an entry. A hub that is in the list no longer may have: the hub that is
    /// left has begun again after it.
    ///
    /// - Returns: What to ask the relay for, once.
    /// - Throws: `relayLies`. The reader isn't stopped, because a device that only knows a lost hub never meets it again, and the
    ///   relay may have the list later.
    package mutating func hubIsUnknown() throws(FeedError) -> Step {
        guard hasAskedAgain else { return try missing(.readFromBase) }
        hasAskedAgain = false
        run = nil
        throw .relayLies("no hub that this device knows has written it")
    }

    private func isOfUnknownHub(beat bytes: [UInt8]) -> Bool {
        guard let beat = FeedBeat(bytes), beat.address == kept.address else { return false }
        return hubs[beat.hub] == nil
    }

    // MARK: Claims

    /// Compares the relay's claim about the end of the feed with what the reader has.
    ///
    /// - Throws: `relayRolledBack` if entries are gone that the relay had. The reader can then read from the relay's base:
    ///   if the hub has begun again there, that settles it.
    package mutating func compare(with head: RelayHead) throws(FeedError) -> Comparison {
        if let stop = kept.stop { throw stop }
        if kept.awaitsBase, run == nil { return .fromBase }
        let place = place
        let required = place.isBefore(kept.confirmed) ? kept.confirmed : place
        guard head.sequence >= required.sequence else { throw stopped(.relayRolledBack) }
        if head.sequence > place.sequence { return .more(after: place.sequence) }
        guard head.digest == place.head else { throw stopped(.relayRolledBack) }
        return .same
    }

    /// Handles that the relay has answered the question for entries after ``lastSequence`` with none, although its head is
    /// later.
    package mutating func receivedNothing() throws(FeedError) -> Step {
        if let stop = kept.stop { throw stop }
        return try missing(.askAgain(after: place.sequence))
    }

    /// Handles a beat from the relay.
    ///
    /// A beat of a hub that this device doesn't know tells nothing. What is new in the feed may name the hub, or it was removed
    /// and its last beat is still at the relay. A relay that lies so gains no more than by keeping a beat back.
    package mutating func receive(beat bytes: [UInt8]) throws(FeedError) {
        if let stop = kept.stop { throw stop }
        guard !isOfUnknownHub(beat: bytes) else { return }
        guard let beat = FeedBeat(bytes), beat.address == kept.address, let hub = hubs[beat.hub],
            beat.isSigned(by: hub)
        else { throw stopped(.relayLies("the hub hasn't written this beat")) }
        let marks = beat.place.term == kept.place.term ? kept.marks : []
        if let mark = marks.last(where: { $0.sequence == beat.place.sequence }), mark.digest != beat.place.head {
            kept.evidence = [kept.lastEntry, beat.bytes]
            throw stopped(.feedForked)
        }
        if kept.confirmed.isBefore(beat.place) { kept.confirmed = beat.place }
        if beat.place == kept.place, beat.time > kept.asOf ?? 0 { kept.asOf = beat.time }
    }

    /// Compares the feed with what the hub itself says of it, over a connection of its own. If they agree, a reader that was
    /// stopped goes on.
    ///
    /// - Parameter place: The last entry that the hub knows to be at the relay.
    /// - Throws: `hubRolledBack` if the hub doesn't know entries that it has signed, `feedForked` if it has another one.
    package mutating func met(hubAt place: FeedPlace) throws(FeedError) {
        run = nil
        hasAskedAgain = false
        if place.isBefore(kept.place) { throw stopped(.hubRolledBack) }
        if place.term == kept.place.term {
            let mark = kept.marks.last { $0.sequence == place.sequence }
            if let mark, mark.digest != place.head { throw stopped(.feedForked) }
        }
        if kept.confirmed.isBefore(place) { kept.confirmed = place }
        let isAgreed = place == kept.place
        // After a fork, the reader may be on the branch that isn't the hub's. A damaged entry is passed over.
        switch kept.stop?.code {
        case .feedForked?: kept.awaitsBase = kept.awaitsBase || !isAgreed
        case .feedDamaged?: kept.awaitsBase = true
        default: break
        }
        kept.stop = nil
    }
}
