import Foundation
import HomeIdentity

@testable import SealedFeed

/// A device with a copy of the home's numbers, which reads a feed as an agent does.
struct FeedDevice {
    let id = UUID()
    let box = BoxKey()
    private(set) var reader: FeedReader?
    private var kept: KeptFeed?
    private var hubs: [UUID: PublicKey] = [:]
    /// The hubs that the device believes by their list.
    private(set) var pinned: PinnedHubs?
    /// The copy, stored together with the reader's state.
    private(set) var numbers: [Int] = []
    /// The last content.
    private(set) var lastUpdate: FeedUpdate?

    mutating func join(_ hub: FeedHub) {
        hubs = hub.hubs
        pinned = PinnedHubs(joined: hub.key.publicKey)
        kept = KeptFeed(hub.address, device: id)
        restart()
    }

    /// Knows other hubs from now on.
    mutating func pin(_ hubs: [UUID: PublicKey]) {
        self.hubs = hubs
        restart()
    }

    /// Starts again with what is stored.
    mutating func restart() {
        guard let kept, let json = try? JSONEncoder().encode(kept),
            let read = try? JSONDecoder().decode(KeptFeed.self, from: json)
        else { return }
        reader = FeedReader(read, hubs: hubs, box: box)
    }

    var place: FeedPlace { kept?.place ?? .start }
    var state: KeptFeed? { kept }

    /// Whether the events of an update can be decoded.
    static func isReadable(_ update: FeedUpdate) -> Bool {
        update.content.events.allSatisfy { (try? JSONDecoder().decode(FeedHub.Event.self, from: Data($0))) != nil }
    }

    /// Handles one entry.
    mutating func receive(_ entry: [UInt8]) throws -> FeedReader.Step {
        guard var reader else { throw NotJoined() }
        defer {
            self.reader = reader
            kept = reader.kept
        }
        let step = try reader.receive(entry, isReadable: Self.isReadable)
        if case .update(let update) = step {
            lastUpdate = update
            for event in update.content.events {
                let event = try JSONDecoder().decode(FeedHub.Event.self, from: Data(event))
                numbers = event.method == "reset" ? event.params.numbers : numbers + event.params.numbers
            }
        }
        return step
    }

    mutating func with<Result>(_ body: (inout FeedReader) throws(FeedError) -> Result) throws(FeedError) -> Result {
        guard var reader else { preconditionFailure("the device has joined no hub") }
        defer {
            self.reader = reader
            kept = reader.kept
        }
        return try body(&reader)
    }

    struct NotJoined: Error {}

    // MARK: Reading as an agent does

    /// Reads everything that a relay has, or says that it has.
    ///
    /// - Parameters:
    ///   - relay: What the relay has. It serves the envelopes.
    ///   - head: Its claim; `nil` for an honest one.
    ///   - serve: What the relay answers to the question for entries after a number.
    mutating func read(_ relay: RelayMemory, head: RelayHead? = nil, serve: (Int) -> [[UInt8]]) throws {
        let head = head ?? relay.head
        var number = relay.base - 1
        do {
            switch try with({ reader throws(FeedError) in try reader.compare(with: head) }) {
            case .same: return
            case .more(let after): number = after
            case .fromBase: break
            }
        } catch {
            // Perhaps the hub has begun again.
            guard error.code == .relayRolledBack else { throw error }
        }
        while true {
            let before = reader?.lastSequence
            switch try readPage(relay, serve(number)) {
            case .askAgain(let after):
                number = after
                continue
            case .readFromBase:
                number = relay.base - 1
                continue
            case .ignored, .partial, .update, .fetchEnvelope, .fetchHubs: break
            }
            switch try with({ reader throws(FeedError) in try reader.compare(with: head) }) {
            case .same, .fromBase: return
            case .more(let after) where reader?.lastSequence != before: number = after
            case .more: _ = try with { reader throws(FeedError) in try reader.receivedNothing() }
            }
        }
    }

    mutating func read(_ relay: RelayMemory) throws {
        try read(relay) { relay.entries(after: $0) }
    }

    /// Handles an answer of the relay. Returns the last step.
    private mutating func readPage(_ relay: RelayMemory, _ entries: [[UInt8]]) throws -> FeedReader.Step {
        for entry in entries {
            var step = try receive(entry)
            if case .fetchHubs(let generation) = step {
                takeHubs(relay.hubLists(of: generation, to: id))
                step = try receive(entry)
                if case .fetchHubs = step {
                    step = try with { reader throws(FeedError) in try reader.hubIsUnknown() }
                }
            }
            if case .fetchEnvelope(let generation) = step {
                guard let envelope = relay.envelope(of: generation, to: id) else {
                    throw try with { reader throws(FeedError) in reader.hasNoEnvelope() }
                }
                try with { reader throws(FeedError) in try reader.receive(envelope: envelope.bytes) }
                step = try receive(entry)
            }
            switch step {
            case .askAgain, .readFromBase: return step
            case .update, .partial, .ignored, .fetchEnvelope, .fetchHubs: break
            }
        }
        return .ignored
    }

    /// Believes the hubs of lists that lead to them.
    private mutating func takeHubs(_ sealed: SealedHubLists?) {
        guard let sealed, var new = pinned,
            let lists = try? reader?.hubLists(in: sealed.bytes, of: sealed.generation),
            (try? new.take(lists)) != nil, let members = new.list?.list.members
        else { return }
        pinned = new
        hubs = Dictionary(uniqueKeysWithValues: members.map { ($0.id, $0.key) })
        reader?.hubs = hubs
    }
}

/// Returns the code with which a reader or a writer stops; `nil` if it doesn't.
func stop(_ body: () throws -> Void) rethrows -> FeedError.Code? {
    do {
        try body()
        return nil
    } catch let error as FeedError {
        return error.code
    }
}
