import Foundation
import HomeIdentity

@testable import SealedFeed

/// A hub with a home of numbers that change, which publishes to a relay as the hub's writer does.
struct FeedHub {
    let id = UUID()
    let key: IdentityKey
    let address: FeedAddress
    var devices: [UUID: PublicBox]
    var lineage = UUID()
    let home = UUID()
    /// The numbers, and the revision of the log at which each was added.
    var numbers: [Int] = []
    var time = 1_790_000_000_000
    var writer: EntryWriter
    /// What is on disk.
    var stored: WriterState
    var storedKeys: [Int: GenerationKey] = [:]
    /// The numbers that a reader has at an entry, by the entry's digest.
    var history: [EntryDigest: [Int]] = [:]
    /// The padding of each event, to make contents of several parts.
    var eventBytes = 0

    init(
        devices: [UUID: PublicBox],
        key: IdentityKey = IdentityKey(),
        address: FeedAddress = FeedAddress(house: .random(), feed: .random())
    ) {
        self.key = key
        self.address = address
        self.devices = devices
        stored = WriterState(address)
        writer = EntryWriter(stored, keys: [:], hub: id, hubKey: key)
    }

    /// The keys of the other hubs of the homes.
    var others: [UUID: PublicKey] = [:]
    private(set) var leadership = FeedLeadership.alone
    /// The lists of hubs, which devices get with each generation.
    var lists: HubListChain?

    var hubs: [UUID: PublicKey] { others.merging([id: key.publicKey]) { _, own in own } }

    /// Leads from now on.
    mutating func lead(_ leadership: FeedLeadership) {
        self.leadership = leadership
        restart()
    }

    var seen: FeedCursors {
        FeedCursors(
            account: FeedCursors.Cursor(lineage: lineage, revision: 0),
            homes: [home: FeedCursors.Cursor(lineage: lineage, revision: numbers.count)]
        )
    }

    func knows(_ seen: FeedCursors) -> Bool {
        seen.homes.values.allSatisfy { $0.lineage != lineage || $0.revision <= numbers.count }
    }

    // MARK: Events

    struct Event: Codable {
        struct Parameters: Codable {
            var numbers: [Int]
            var filler: String?
        }

        var jsonrpc = "2.0"
        var method: String
        var params: Parameters
    }

    private func event(_ method: String, _ numbers: [Int]) throws -> [UInt8] {
        let filler = eventBytes > 0 ? String(repeating: "x", count: eventBytes) : nil
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Array(try encoder.encode(Event(method: method, params: .init(numbers: numbers, filler: filler))))
    }

    func content(isBase: Bool) throws -> FeedContent {
        if isBase { return FeedContent(seen: seen, events: [try event("reset", numbers)]) }
        let known = writer.state.seen?.homes[home]?.revision ?? 0
        return FeedContent(seen: seen, events: try numbers.dropFirst(known).map { try event("change", [$0]) })
    }

    // MARK: Publishing

    mutating func store() {
        stored = writer.state
        storedKeys = writer.keys
    }

    /// Starts again with what is on disk.
    mutating func restart() {
        writer = EntryWriter(
            stored,
            keys: storedKeys,
            hub: id,
            hubKey: key,
            others: others,
            leadership: leadership
        )
    }

    mutating func reconcile(with relay: RelayMemory) throws(FeedError) {
        if writer.takesOver {
            try writer.goOn(behind: relay.head, relay.entries.last)
            return store()
        }
        switch writer.compare(with: relay.head) {
        case .same: break
        case .nextAppended: writer.appended()
        case .entriesNeeded(let number):
            let hub = self
            try writer.reconcile(with: relay.head, relay.entries(after: number)) { hub.knows($0.seen) }
        }
        store()
    }

    mutating func beginGeneration(at relay: inout RelayMemory) {
        relay.envelopes += writer.beginGeneration(for: devices, at: time)
        store()
        if let lists {
            relay.lists += devices.compactMap { device, box in
                SealedHubLists(lists, generation: writer.state.generation, of: address, to: device, box)
            }
        }
        writer.envelopesStored()
        store()
    }

    /// Brings the relay up to date.
    ///
    /// - Parameter steps: The number of entries after which the hub crashes, before it has noted the last of them.
    mutating func publish(to relay: inout RelayMemory, crashingAfter steps: Int = .max) throws {
        try reconcile(with: relay)
        if writer.isGenerationDue(at: time) { beginGeneration(at: &relay) }
        var appended = 0
        while writer.next != nil || writer.state.seen != seen || writer.state.needsBase {
            if writer.next == nil {
                let isBase = writer.isBaseDue
                try writer.write(try content(isBase: isBase), isBase: isBase, at: time)
                if let last = writer.pending.last { history[last.digest] = numbers }
            }
            if let next = writer.next { try relay.add(next) }
            appended += 1
            if appended == steps { return restart() }
            writer.appended()
            store()
        }
    }

    /// Changes the home and publishes the change.
    mutating func change(_ number: Int, at relay: inout RelayMemory) throws {
        numbers.append(number)
        time += 1_000
        try publish(to: &relay)
    }
}
