import Foundation
import HomeIdentity
import RelayAPI
import RelayClient
import SealedFeed

/// One catching up with a feed at a relay, as a value: the relay's answers go in, requests come out.
///
/// Whatever the relay answers, a round ends: with what the hub wrote, or with an error that names what is wrong.
struct FeedRound: Sendable {
    /// What to do next.
    enum Action: Hashable, Sendable {
        /// Ask where the feed stands.
        case askStatus
        /// Ask for the entries after a number.
        case askEntries(after: Int)
        /// Ask for this device's envelope of a generation.
        case askEnvelope(generation: Int)
        /// Ask for this device's lists of hubs of a generation.
        case askHubs(generation: Int)
        /// Store the newest of these lists if they lead to it from the one that is stored, and then call ``FeedRound/took(_:)``
        /// or ``FeedRound/refused(_:)``.
        case takeHubs(HubListChain)
        /// Store an update together with ``FeedRound/reader``'s state, and then call ``FeedRound/stored(_:)``.
        case store(FeedUpdate)
        /// The round is over. Store the reader's state if it has changed.
        case end(Outcome)
    }

    /// How a round ends.
    enum Outcome: Hashable, Sendable {
        /// The reader has everything that the relay has.
        case current
        /// Nothing more is taken from the relay: until the hub was met, if the reader's state says so.
        case refused(FeedError)
        /// The relay can't be asked.
        case unavailable(RelayTrouble)
        /// What was read couldn't be stored, or the hub itself is in reach. Nothing of it counts.
        case interrupted
    }

    /// The reader.
    private(set) var reader: FeedReader
    /// The reader when its state was last stored.
    private var storedReader: FeedReader
    private var head = RelayHead(sequence: 0, digest: .zero)
    /// The number of the first entry of the relay's last base; 0 for none.
    private var base = 0
    private var beat: [UInt8]?
    private var entries: ArraySlice<[UInt8]> = []
    /// The reader's last entry when entries were asked for.
    private var lastPlace = FeedPlace.start
    private var askedRequests = 0
    private var askedBase = false
    private var askedEnvelope: Int?
    /// The generations of which the lists of hubs were asked for; the last one last.
    private var askedHubs: [Int] = []
    /// Why a list of hubs isn't believed.
    private var doubt: FeedError?
    /// The relay's head was before the reader's last entry. It may be that the hub has begun again.
    private var rolledBack: FeedError?

    /// Creates a round.
    init(_ reader: FeedReader) {
        self.reader = reader
        storedReader = reader
    }

    /// Begins.
    mutating func begin() -> Action {
        if let stop = reader.kept.stop { return .end(.refused(stop)) }
        return .askStatus
    }

    // MARK: The relay's answers

    /// Handles where the relay says that the feed stands.
    mutating func received(_ status: FeedStatus) -> Action {
        head = RelayHead(sequence: Int(max(0, status.seq)), digest: status.head)
        base = Int(max(0, status.base))
        beat = status.beat.map(Array.init)
        return caught { round throws(FeedError) in
            if let beat = round.beat { try round.reader.receive(beat: beat) }
            return try round.compare()
        }
    }

    /// Handles entries.
    mutating func received(_ entries: [Data]) -> Action {
        self.entries = entries.map(Array.init)[...]
        return proceed()
    }

    /// Handles an envelope; `nil` if the relay has none.
    mutating func received(envelope bytes: Data?) -> Action {
        guard let bytes else {
            // A device that was away from the feed for a while has a key again with a later base.
            if base > reader.lastSequence + 1, !askedBase { return askFromBase() }
            return .end(.refused(reader.hasNoEnvelope()))
        }
        let generation = askedEnvelope
        return caught { round throws(FeedError) in
            try round.reader.receive(envelope: Array(bytes), of: generation)
            return round.proceed()
        }
    }

    /// Handles lists of hubs; `nil` if the relay has none.
    mutating func received(hubLists bytes: Data?) -> Action {
        guard let bytes, let generation = askedHubs.last else { return proceed() }
        do throws(FeedError) {
            return .takeHubs(try reader.hubLists(in: Array(bytes), of: generation))
        } catch {
            doubt = error
            return proceed()
        }
    }

    /// Handles that a list of hubs is believed.
    ///
    /// - Parameter hubs: The keys of the hubs that may write the feed, by ID.
    mutating func took(_ hubs: [UUID: PublicKey]) -> Action {
        reader.hubs = hubs
        storedReader.hubs = hubs
        return proceed()
    }

    /// Handles that a list of hubs isn't believed.
    mutating func refused(_ error: HubListError) -> Action {
        doubt = FeedError(error)
        return proceed()
    }

    /// Handles that an update was stored, or couldn't be.
    mutating func stored(_ isStored: Bool) -> Action {
        guard isStored else {
            reader = storedReader
            return .end(.interrupted)
        }
        storedReader = reader
        return proceed()
    }

    /// Handles that a request has failed.
    mutating func failed(_ error: RelayClientError) -> Action {
        guard case .refused(let refusal) = error else { return .end(.unavailable(RelayTrouble(error))) }
        switch refusal.code {
        case .notFound: return .end(.refused(.relayRefuses))
        case .dropped where !askedBase:
            base = Int(max(0, refusal.position?.base ?? 0))
            return askFromBase()
        case .dropped, .conflict:
            // It has just claimed to have these entries.
            return received([Data]())
        default: return .end(.unavailable(RelayTrouble(error)))
        }
    }

    // MARK: Reading

    private mutating func caught(_ body: (inout FeedRound) throws(FeedError) -> Action) -> Action {
        do throws(FeedError) {
            return try body(&self)
        } catch {
            return .end(.refused(error))
        }
    }

    private mutating func compare() throws(FeedError) -> Action {
        do throws(FeedError) {
            switch try reader.compare(with: head) {
            case .same: return try finish()
            // Whoever has nothing begins with the last base.
            case .more where reader.place == .start && base > 0 && !askedBase: return askFromBase()
            case .more(let number): return ask(after: number)
            case .fromBase where base > 0 && !askedBase: return askFromBase()
            case .fromBase: return try finish()
            }
        } catch {
            guard error.code == .relayRolledBack, base > 0, !askedBase else { throw error }
            rolledBack = error
            return askFromBase()
        }
    }

    private mutating func ask(after number: Int) -> Action {
        entries = []
        lastPlace = reader.place
        askedRequests += 1
        guard askedRequests <= AgentLimits.feedRequests else { return .end(.unavailable(.tooManyRequests)) }
        return .askEntries(after: number)
    }

    private mutating func askFromBase() -> Action {
        askedBase = true
        return ask(after: max(0, base - 1))
    }

    private mutating func proceed() -> Action {
        caught { round throws(FeedError) in
            while let entry = round.entries.first {
                switch try round.reader.receive(entry, isReadable: FeedEvents.areReadable) {
                case .update(let update):
                    round.entries.removeFirst()
                    round.rolledBack = nil
                    return .store(update)
                case .partial, .ignored: round.entries.removeFirst()
                case .askAgain(let number): return round.ask(after: number)
                case .readFromBase: return round.askFromBase()
                case .fetchEnvelope(let generation):
                    guard round.askedEnvelope != generation else { throw round.reader.hasNoEnvelope() }
                    round.askedEnvelope = generation
                    return .askEnvelope(generation: generation)
                case .fetchHubs(let generation):
                    guard round.askedHubs.contains(generation) else {
                        round.askedHubs.append(generation)
                        return .askHubs(generation: generation)
                    }
                    try round.missHub()
                    return round.askFromBase()
                }
            }
            return try round.endPage()
        }
    }

    /// Handles that no list names the hub that has written an entry.
    private mutating func missHub() throws(FeedError) {
        do throws(FeedError) {
            _ = try reader.hubIsUnknown()
        } catch {
            throw doubt ?? error
        }
    }

    private mutating func endPage() throws(FeedError) -> Action {
        let isStuck = reader.place == lastPlace
        if let rolledBack, isStuck { throw rolledBack }
        // The relay may have got entries since it said where the feed stands.
        if reader.lastSequence > head.sequence { return try finish() }
        let action = try compare()
        guard case .askEntries(let number) = action, isStuck else { return action }
        _ = try reader.receivedNothing()
        return .askEntries(after: number)
    }

    private mutating func finish() throws(FeedError) -> Action {
        // Its time counts once the reader has what it is about, and knows the hub.
        if let beat { try reader.receive(beat: beat) }
        return .end(.current)
    }
}

/// Why a relay can't be asked, for people and for the next try.
struct RelayTrouble: Hashable, Sendable {
    /// What is wrong.
    var reason: String
    /// The number of seconds after which to try again; `nil` if the relay doesn't say.
    var retryAfter: Int?

    /// The relay answers, but never comes to an end.
    static let tooManyRequests = RelayTrouble(reason: "The relay has more pages than a feed can have.")

    /// Creates a description.
    init(reason: String) {
        self.reason = reason
    }

    /// Creates the description of an error.
    init(_ error: RelayClientError) {
        switch error {
        case .invalidURL(let reason), .unreachable(let reason), .invalidAnswer(let reason): self.reason = reason
        case .refused(let refusal):
            reason = refusal.reason
            retryAfter = refusal.retryAfter
        }
    }
}

extension FeedError {
    /// Creates the error for a list of hubs that isn't believed.
    fileprivate init(_ error: HubListError) {
        self.init(Code(rawValue: error.code.rawValue), error.message)
    }

    /// The relay doesn't know the device's key.
    fileprivate static let relayRefuses = FeedError(
        .notAddressed,
        "The relay doesn't let this device read the feed, so the device was probably removed. Connect to the hub at home."
    )
}
