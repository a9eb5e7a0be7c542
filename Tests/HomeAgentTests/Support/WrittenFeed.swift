import Foundation
import HomeIdentity
import HomeModel
import HubAPI
import RelayAPI
import SealedFeed

/// A feed that a hub has written, as the relay has it, and a device that reads it.
struct WrittenFeed {
    let hub = UUID()
    let hubKey: IdentityKey
    let address: FeedAddress
    let device: UUID
    let box: BoxKey
    private(set) var writer: EntryWriter
    private(set) var entries: [Data] = []
    private(set) var envelopes: [Int: Data] = [:]
    private(set) var base = 0
    /// The number of the last entry of the first hub; 0 if there is no other one.
    private(set) var takenOverAfter = 0
    /// The beat that the relay has.
    var lastBeat: Data?
    private(set) var revision = 0
    private let lineage = UUID()
    private let user = UUID()
    private var time = 1_790_000_000_000

    init(
        _ address: FeedAddress = FeedAddress(house: .random(), feed: .random()),
        by hubKey: IdentityKey = IdentityKey(),
        for device: UUID = UUID(),
        _ box: BoxKey = BoxKey()
    ) throws {
        self.address = address
        self.hubKey = hubKey
        self.device = device
        self.box = box
        writer = EntryWriter(WriterState(address), keys: [:], hub: hub, hubKey: hubKey)
        try beginGeneration()
    }

    /// A device that has read nothing.
    var reader: FeedReader {
        FeedReader(KeptFeed(address, device: device), hubs: [hub: hubKey.publicKey], box: box)
    }

    var status: FeedStatus {
        FeedStatus(
            seq: Int64(entries.count),
            head: entries.last.map { EntryDigest(of: Array($0)) } ?? .zero,
            gen: Int64(envelopes.keys.max() ?? 0),
            base: Int64(base),
            beat: lastBeat
        )
    }

    /// Lets another hub write from now on.
    mutating func takeOver(as hub: UUID, by key: IdentityKey) throws {
        takenOverAfter = entries.count
        writer = EntryWriter(
            WriterState(address),
            keys: [:],
            hub: hub,
            hubKey: key,
            others: [self.hub: hubKey.publicKey],
            leadership: FeedLeadership(list: 2, term: 1)
        )
        let head = RelayHead(sequence: entries.count, digest: status.head)
        try writer.goOn(behind: head, entries.last.map { Array($0) })
        try beginGeneration()
    }

    /// Begins a generation, with a base.
    mutating func beginGeneration(isAddressed: Bool = true) throws {
        time += 1_000
        let boxes = [isAddressed ? device : UUID(): isAddressed ? box.publicBox : BoxKey().publicBox]
        let envelopes = writer.beginGeneration(for: boxes, at: time)
        for envelope in envelopes where isAddressed {
            self.envelopes[envelope.generation] = Data(envelope.bytes)
        }
        writer.envelopesStored()
        try writeBase()
    }

    mutating func writeBase() throws {
        let log = Snapshot.Log(lineage: lineage, revision: revision, records: [])
        let snapshot = Snapshot(account: log, homes: [:], values: KnownValues(), reachability: [])
        let keys = FeedHomeKeys(user: user, keys: [:])
        base = entries.count + 1
        try write(.reset(snapshot), keys, isBase: true)
    }

    /// Writes changes, each in an entry.
    mutating func change(_ count: Int = 1) throws {
        for _ in 0..<count {
            // The hub writes a base now and then.
            guard !writer.isBaseDue else {
                try writeBase()
                continue
            }
            revision += 1
            let change = Change(verb: .homeRenamed, subjects: [], effects: [])
            try write(
                .change(LogChange(home: nil, lineage: lineage, revision: revision, change: change, isMine: false)),
                nil,
                isBase: false
            )
        }
    }

    private mutating func write(_ event: HubEvent, _ keys: FeedHomeKeys?, isBase: Bool) throws {
        time += 1_000
        let seen = FeedCursors(account: .init(lineage: lineage, revision: revision), homes: [:])
        let line = Array(try WireMessage.line(event).dropLast())
        try writer.write(FeedContent(seen: seen, homeKeys: keys, events: [line]), isBase: isBase, at: time)
        while let entry = writer.next {
            entries.append(Data(entry.bytes))
            writer.appended()
        }
    }

    /// The beat that the hub signs now.
    mutating func beat(after milliseconds: Int = 1_000) -> FeedBeat {
        time += milliseconds
        return writer.beat(at: time)
    }
}
