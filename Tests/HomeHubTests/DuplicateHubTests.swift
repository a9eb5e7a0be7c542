import DNSSD
import Foundation
import HAP
import HomeModel
import HomeStore
import HubAPI
import Logging
import Testing

@testable import HomeHub

/// Hubs of one home that find each other on the network: which one takes precedence, and what makes the other stop.
struct DuplicateHubTests {
    // MARK: Claims

    private static let home = UUID()
    private static let key = LongTermKeyPair.random()
    private static let claim = HubClaim(
        home: home,
        rank: HubClaim.Rank(generation: 7, start: 1_700_000_000_000, run: .max),
        heard: [0, 0xAB, 3, .max]
    )

    private func read(_ txt: TXTRecord, of home: UUID = Self.home) -> HubClaim? {
        HubClaim(txt, of: home, signedWith: Self.key.publicKey)
    }

    @Test func aClaimIsReadAsItWasWrittenAndFitsIntoADescription() throws {
        let txt = try Self.claim.txt(signedBy: Self.key)
        #expect(read(txt) == Self.claim)
        let lengths: [Int] = txt.entries.map { entry in entry.key.utf8.count + 1 + (entry.value?.count ?? 0) }
        #expect(lengths.allSatisfy { $0 <= 255 })
        var short = Self.claim
        short.heard = []
        #expect(try read(short.txt(signedBy: Self.key)) == short)
        // The record reveals neither the home's ID nor its key.
        #expect(!"\(txt)".contains(Self.home.uuidString))
    }

    @Test func aClaimThatWasChangedOrIsSomebodyElsesIsNone() throws {
        let txt = try Self.claim.txt(signedBy: Self.key)
        let changes = [
            (HubClaim.Key.version, "2"), (HubClaim.Key.generation, "8"), (HubClaim.Key.start, "1700000000001"),
            (HubClaim.Key.run, "1"), (HubClaim.Key.heard, "0,ab,3"), (HubClaim.Key.heard, "0,ab,3,1"),
            (HubClaim.Key.home, HubClaim.name(of: UUID())), (HubClaim.Key.generation, "-7"),
            (HubClaim.Key.generation, "9007199254740993"), (HubClaim.Key.start, "99999999999999999999"),
            (HubClaim.Key.heard, "x"), (HubClaim.Key.heard, String(repeating: "1,", count: 100)),
            (HubClaim.Key.signature, ""), (HubClaim.Key.signature, "!"),
            (HubClaim.Key.signature, Data(repeating: 1, count: 64).base64EncodedString()),
        ]
        for (name, value) in changes {
            var changed = txt
            changed[name] = value
            #expect(read(changed) == nil, "\(name)=\(value)")
        }
        for name in txt.entries.map(\.key) {
            var changed = txt
            changed[name] = nil
            #expect(read(changed) == nil, "without \(name)")
        }
        #expect(read(txt, of: UUID()) == nil)
        #expect(try read(Self.claim.txt(signedBy: .random())) == nil)
        #expect(read(TXTRecord()) == nil)
    }

    @Test func aClaimAtItsLimitsIsOneAndPastThemIsNone() throws {
        typealias Rank = HubClaim.Rank
        let largest = 9_007_199_254_740_992
        let claims = [
            (Rank(generation: largest, start: largest, run: 1), 4, true),
            (Rank(generation: 0, start: 0, run: 0), 0, true),
            (Rank(generation: largest + 1, start: 1, run: 1), 0, false),
            (Rank(generation: -1, start: 1, run: 1), 0, false),
            (Rank(generation: 1, start: largest + 1, run: 1), 0, false),
            (Rank(generation: 1, start: 1, run: 1), 5, false),
        ]
        for (rank, count, isOne) in claims {
            let claim = HubClaim(home: Self.home, rank: rank, heard: Array(repeating: 7, count: count))
            #expect(try read(claim.txt(signedBy: Self.key)) == (isOne ? claim : nil), "\(claim)")
        }
    }

    @Test func ofTwoHubsExactlyOneGoesOn() {
        typealias Rank = HubClaim.Rank
        let ranks = [0, 1, 2].flatMap { generation in
            [5, 6].flatMap { start in
                [1, 9].map { Rank(generation: generation, start: start, run: $0) }
            }
        }
        for (one, other) in ranks.flatMap({ one in ranks.map { (one, $0) } }) {
            #expect([one.outranks(other), other.outranks(one)].count { $0 } == (one == other ? 0 : 1))
        }
        let first = Rank(generation: 1, start: 10, run: 1)
        #expect(Rank(generation: 2, start: 99, run: 9).outranks(first))
        #expect(first.outranks(Rank(generation: 1, start: 11, run: 0)))
    }

    @Test func aHubStopsOnlyForOneThatHasHeardThisVeryStart() {
        var policy = DuplicateHubPolicy(rank: HubClaim.Rank(generation: 5, start: 10, run: 100))
        var newer = HubClaim(home: Self.home, rank: HubClaim.Rank(generation: 6, start: 20, run: 200))
        // A replay from before this run can't contain an answer to it.
        #expect(policy.handle(newer) == .nothing)
        newer.heard = [99, 101]
        #expect(policy.handle(newer) == .nothing)
        newer.heard = [99, 100]
        #expect(policy.handle(newer) == .yield)
        // The hub's own claim comes back, and the claim of its previous run.
        #expect(policy.handle(HubClaim(home: Self.home, rank: policy.rank, heard: [100])) == .nothing)
        #expect(
            policy.handle(HubClaim(home: Self.home, rank: .init(generation: 5, start: 9, run: 42))) == .nothing
        )
        #expect(policy.heard.isEmpty)
    }

    @Test func lesserHubsAreAnsweredOnceTheLastFewOfThem() {
        var policy = DuplicateHubPolicy(rank: HubClaim.Rank(generation: 5, start: 10, run: 100))
        func claim(_ run: HubClaim.Run) -> HubClaim {
            HubClaim(home: Self.home, rank: .init(generation: 4, start: 1, run: run), heard: [100])
        }
        for run in 1...6 as ClosedRange<HubClaim.Run> {
            #expect(policy.handle(claim(run)) == .answer)
            #expect(policy.handle(claim(run)) == .nothing)
        }
        #expect(policy.heard == [3, 4, 5, 6])
    }

    // MARK: Hubs

    private let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    private func start(_ data: URL) async throws -> HomeHub {
        try await HomeHub(HubConfiguration(data: data, interfaces: [.loopback], userName: "Tester", log: log))
    }

    /// Creates a data folder with a home that has had an accessory.
    private func makeHome(_ data: URL) async throws -> (home: UUID, key: LongTermKeyPair) {
        let hub = try await start(data)
        let home = try await RecordingHubClient(to: hub).call(HubMethods.addHome, AddHome(name: "Villa")).id
        let identity = try await hub.controllerIdentity(of: home)
        await hub.stop()
        return (home, identity.keyPair)
    }

    private func restore(_ data: URL, as restored: URL) async throws -> Int {
        let store = try await HomeStore.open(at: data)
        let copy = data.deletingLastPathComponent().appending(path: UUID().uuidString)
        try await store.copy(to: copy)
        try await store.close()
        let person = Caller(user: UUID(), device: UUID(), app: "test", client: UUID())
        try await HomeStore.restore(copy, to: restored, by: person, now: Date())
        return try #require(try await metadata(.generation, of: restored).flatMap { Int($0) })
    }

    private func metadata(_ key: MetadataKey, of data: URL) async throws -> String? {
        let store = try await HomeStore.open(at: data)
        let value = try await store.metadata(key)
        try await store.close()
        return value
    }

    @Test func theOlderOfTwoHubsStopsAndStaysStoppedUntilItIsChosen() async throws {
        try await withDataFolder { folder in
            let (old, new) = (folder.appending(path: "old"), folder.appending(path: "new"))
            _ = try await makeHome(old)
            _ = try await restore(old, as: new)
            let older = try await start(old)
            let newer = try await start(new)
            let error = try #require(await older.superseded())
            #expect(error.code == .hubSuperseded)
            #expect(error.reason.contains("“Villa”") && error.reason.contains("hearth claim --data \(old.path)"))
            await older.stop()

            let refusal = await #expect(throws: HubError.self) { try await start(old) }
            #expect(refusal == error)
            try await HomeHub.claim(old, now: Date())
            let again = try await start(old)
            #expect(await newer.superseded()?.code == .hubSuperseded)
            await newer.stop()
            await again.stop()
            // A copy that is restored from the stopped hub also takes precedence.
            _ = try await restore(new, as: folder.appending(path: "newest"))
            await (try await start(folder.appending(path: "newest"))).stop()
        }
    }

    @Test func ofTwoCopiesOfOneFolderTheOneThatWasStartedFirstGoesOn() async throws {
        try await withDataFolder { folder in
            let (one, other) = (folder.appending(path: "one"), folder.appending(path: "other"))
            _ = try await makeHome(one)
            try FileManager.default.copyItem(at: one, to: other)
            let first = try await start(other)
            let second = try await start(one)
            let error = try #require(await second.superseded())
            #expect(error.reason.contains("from a copy of this hub's data folder"))
            await second.stop()
            // After the other hub has stopped, the user decides, not the order in which hubs are started.
            await first.stop()
            await #expect(throws: HubError.self) { try await start(one) }
            await (try await start(other)).stop()
        }
    }

    @Test func whatIsForgedOrRepeatedStopsNoHub() async throws {
        try await withDataFolder { folder in
            let (old, new) = (folder.appending(path: "old"), folder.appending(path: "new"))
            let (home, key) = try await makeHome(old)
            let generation = try await restore(old, as: new)
            let older = try await start(old)

            let network = try await MulticastDNS(interfaces: [.loopback])
            var received: HubClaim?
            for await event in network.browse(.hub) {
                guard case .found(let service) = event else { continue }
                received = HubClaim(service.txt, of: home, signedWith: key.publicKey)
                if received != nil { break }
            }
            let victim = try #require(received)
            var forged = victim
            forged.rank = HubClaim.Rank(generation: generation + 1_000_000, start: 1, run: 1)
            forged.heard = [victim.rank.run]
            var repeated = forged
            repeated.rank.run = 2
            repeated.heard = [3]
            for (number, txt) in [try forged.txt(signedBy: .random()), try repeated.txt(signedBy: key)].enumerated() {
                let name = "\(UUID().uuidString.prefix(8))-\(number)"
                let service = ServiceAdvertisement(instanceName: name, type: .hub, port: 0, txt: txt)
                _ = try await network.advertise(service)
            }
            let newer = try await start(new)
            #expect(await older.superseded() != nil)
            await older.stop()
            // The hub stopped because of the authentic claim.
            let succession = try await metadata(.succession, of: old)
            #expect(succession?.contains("\"generation\":\(generation)") == true, "\(succession ?? "none")")
            await newer.stop()
            await network.shutdown()
        }
    }
}
