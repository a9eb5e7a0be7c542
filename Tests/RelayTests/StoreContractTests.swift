import Foundation
import HomeIdentity
import RelayAPI
import Testing

/// What every store of a relay must do.
struct StoreContractTests {
    // MARK: Appending

    @Test(arguments: StoreKind.allCases)
    func entriesAreReadInTheirOrder(kind: StoreKind) async throws {
        try await kind.with { fixture in
            var writer = try await fixture.makeFeed()
            let items = (0..<10).map { _ in writer.next() }
            #expect(try await fixture.append(items) == (1...10).map { .appended(seq: $0) })
            let position = FeedPosition(seq: 10, head: writer.head)
            #expect(try await fixture.entries() == .entries(items.map(\.bytes), position: position))
            #expect(
                try await fixture.entries(after: 7, limit: 2) == .entries(items[7..<9].map(\.bytes), position: position)
            )
            #expect(try await fixture.entries(bytes: 600) == .entries(items[..<2].map(\.bytes), position: position))
            #expect(try await fixture.entries(after: 10) == .entries([], position: position))
            #expect(try await fixture.entries(after: 11) == .ahead(position))
            #expect(try await fixture.status() == FeedStatus(seq: 10, head: writer.head, gen: 1, base: 0))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func racingWritersLeaveOneChain(kind: StoreKind) async throws {
        try await kind.with { fixture in
            let start = try await fixture.makeFeed()
            let wins = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        var wins = 0
                        for _ in 0..<40 {
                            let status = try await fixture.status()
                            let writer = TestWriter(
                                house: start.house,
                                feed: start.feed,
                                seq: status.seq,
                                head: status.head
                            )
                            if case .appended(let seq) = try await fixture.append([writer.item()])[0] {
                                #expect(seq == status.seq + 1)
                                wins += 1
                            }
                        }
                        return wins
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(wins > 0)
            guard case .entries(let entries, let position) = try await fixture.entries(limit: 1_000) else {
                Issue.record("the entries can't be read")
                return
            }
            #expect(position.seq == Int64(wins) && entries.count == wins)
            var head = EntryDigest.zero
            for (index, entry) in entries.enumerated() {
                let header = try RelayedEntryHeader(of: entry)
                #expect(header.seq == Int64(index) + 1 && header.prev == head)
                head = EntryDigest(of: entry)
            }
            #expect(position.head == head)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func whatExpectsAnotherPlaceMovesNothing(kind: StoreKind) async throws {
        try await kind.with { fixture in
            var writer = try await fixture.makeFeed()
            let former = writer
            _ = try await fixture.append([writer.next(term: 2)])
            let position = FeedPosition(seq: 1, head: writer.head, term: 2)
            // A number that was taken by another entry.
            #expect(try await fixture.append([former.item(term: 2)]) == [.conflict(position)])
            // The right number after the wrong entry.
            let wrong = TestWriter(house: fixture.house, feed: fixture.feed, seq: 1, head: EntryDigest.random())
            #expect(try await fixture.append([wrong.item(term: 2)]) == [.conflict(position)])
            // A number that isn't reached yet.
            let ahead = TestWriter(house: fixture.house, feed: fixture.feed, seq: 5, head: writer.head)
            #expect(try await fixture.append([ahead.item(term: 2)]) == [.conflict(position)])
            // A term that is over.
            #expect(try await fixture.append([writer.item(term: 1)]) == [.conflict(position)])
            #expect(try await fixture.position() == position)
            #expect(try await fixture.append([writer.item(term: 3)]) == [.appended(seq: 2)])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func entriesThatAreSentAgainCountAsAppended(kind: StoreKind) async throws {
        try await kind.with { fixture in
            var writer = try await fixture.makeFeed()
            let items = [writer.next(), writer.next(), writer.next()]
            _ = try await fixture.append([items[0]])
            #expect(try await fixture.append([items[0]]) == [.appended(seq: 1)])
            #expect(try await fixture.append(items) == [.appended(seq: 1), .appended(seq: 2), .appended(seq: 3)])
            #expect(try await fixture.append(items) == [.appended(seq: 1), .appended(seq: 2), .appended(seq: 3)])
            #expect(try await fixture.status().seq == 3)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func oneItemThatIsRefusedLeavesTheOthers(kind: StoreKind) async throws {
        try await kind.with { fixture in
            var writer = try await fixture.makeFeed()
            let unknown = TestWriter(house: fixture.house, feed: FeedID.random()).item()
            let results = try await fixture.append([writer.next(), unknown, writer.next()])
            #expect(results == [.appended(seq: 1), .refused(.notFound), .appended(seq: 2)])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aBaseCountsOnceItsLastPartIsThere(kind: StoreKind) async throws {
        try await kind.with { fixture in
            var writer = try await fixture.makeFeed()
            _ = try await fixture.append([writer.next(), writer.next(base: true, part: 1, of: 3)])
            _ = try await fixture.append([writer.next(base: true, part: 2, of: 3)])
            #expect(try await fixture.status().base == 0)
            // It breaks off, and another begins.
            _ = try await fixture.append([writer.next(base: true, part: 1, of: 2)])
            for (part, parts, base) in [(3, 3, true), (2, 2, false), (2, 3, true)] {
                guard
                    case .refused(let error) = try await fixture.append([writer.item(base: base, part: part, of: parts)]
                    )[0]
                else {
                    Issue.record("part \(part) of \(parts) was appended")
                    continue
                }
                #expect(error.code == .malformed)
            }
            #expect(try await fixture.append([writer.next(base: true, part: 2, of: 2)]) == [.appended(seq: 5)])
            #expect(try await fixture.status().base == 4)
            #expect(try await fixture.append([writer.next(base: true, generation: 7)]) == [.appended(seq: 6)])
            #expect(try await fixture.status() == FeedStatus(seq: 6, head: writer.head, gen: 7, base: 6))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aFeedHoldsItsQuotaAndNoByteMore(kind: StoreKind) async throws {
        try await kind.with { fixture in
            var writer = try await fixture.makeFeed()
            let size = 512 << 10
            for _ in 0..<(HouseQuota.home.feedBytes / size - 1) {
                _ = try await fixture.append([writer.next(size: size)])
            }
            let before = try await fixture.position()
            guard case .refused(let error) = try await fixture.append([writer.item(size: size + 1)])[0] else {
                Issue.record("an entry beyond the quota was appended")
                return
            }
            #expect(error.code == .quotaExceeded)
            #expect(try await fixture.position() == before)
            #expect(try await fixture.append([writer.next(size: size)]) == [.appended(seq: before.seq + 1)])
            #expect(try await fixture.store.counts().entryBytes == Int64(HouseQuota.home.feedBytes))
        }
    }

    // MARK: Retention

    @Test(arguments: StoreKind.allCases)
    func oldEntriesBeforeTheLastBaseButOneAreDropped(kind: StoreKind) async throws {
        try await kind.with { fixture in
            var writer = try await fixture.makeFeed()
            let week = 1_000 * RelayLimits.entrySeconds
            let items = [
                writer.next(base: true), writer.next(), writer.next(base: true), writer.next(), writer.next(base: true),
            ]
            _ = try await fixture.append(items)
            #expect(try await fixture.store.sweep(at: fixture.now + week) == SweepResult())
            let used = try await fixture.store.counts().entryBytes
            #expect(try await fixture.store.sweep(at: fixture.now + week + 1) == SweepResult(entries: 2))
            let position = FeedPosition(seq: 5, head: writer.head, base: 5)
            for number in [0, 1] as [Int64] { #expect(try await fixture.entries(after: number) == .dropped(position)) }
            #expect(try await fixture.entries(after: 2) == .entries(items[2...].map(\.bytes), position: position))
            let dropped = Int64(items[0].bytes.count + items[1].bytes.count)
            #expect(try await fixture.store.counts().entryBytes == used - dropped)
            #expect(try await fixture.store.sweep(at: fixture.now + 2 * week) == SweepResult())
            // An entry that was dropped can't be told from another one.
            #expect(try await fixture.append([items[0]]) == [.conflict(position)])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aHouseThatNobodyWritesToIsRemovedAfterANotice(kind: StoreKind) async throws {
        try await kind.with { fixture in
            _ = try await fixture.makeFeed()
            let end = fixture.now + 1_000 * RelayLimits.houseSeconds
            let notice = end - 1_000 * RelayLimits.noticeSeconds
            func expires(_ time: Int64) async throws -> Int64? {
                try await fixture.store.status(of: fixture.feed, in: fixture.house, as: fixture.owner, at: time).expires
            }
            #expect(try await expires(notice - 1) == nil)
            #expect(try await expires(notice) == end)
            #expect(try await fixture.store.sweep(at: end).houses == 0)
            #expect(try await fixture.store.sweep(at: end + 1).houses == 1)
            await #expect(throws: RelayStoreError.notFound) { _ = try await fixture.status() }
            #expect(try await fixture.store.counts() == StoreCounts(houses: 0, feeds: 0, entryBytes: 0))
        }
    }

    // MARK: Rights

    @Test(arguments: StoreKind.allCases)
    func aStrangerFindsNothing(kind: StoreKind) async throws {
        try await kind.with { fixture in
            var writer = try await fixture.makeFeed()
            let (store, house, feed, now) = (fixture.store, fixture.house, fixture.feed, fixture.now)
            let entry = try CheckedEntry(writer.next(), in: house)
            _ = try await store.append([entry], to: house, as: fixture.owner, at: now)
            let stranger = IdentityKey().publicKey
            let attempts: [@Sendable () async throws -> Void] = [
                { _ = try await store.register(house, owners: [stranger], with: .open(.home), as: stranger, at: now) },
                { _ = try await store.houseClass(of: house, as: stranger) },
                { _ = try await store.makeFeed(FeedID.random(), in: house, as: stranger) },
                { try await store.removeFeed(feed, in: house, as: stranger) },
                { _ = try await store.setReaders(ReaderList(seq: 9, readers: []), of: feed, in: house, as: stranger) },
                { _ = try await store.status(of: feed, in: house, as: stranger, at: now) },
                { _ = try await store.append([entry], to: house, as: stranger, at: now) },
                { _ = try await store.entries(of: feed, in: house, after: 0, limit: 1, bytes: 1, as: stranger) },
                {
                    let envelope = StoredEnvelope(generation: 1, device: UUID(), bytes: Data([1]))
                    try await store.setEnvelope(envelope, of: feed, in: house, as: stranger, at: now)
                },
                { _ = try await store.envelope(1, to: UUID(), of: feed, in: house, as: stranger) },
                { try await store.setBeat(Data([1]), of: feed, in: house, as: stranger, at: now) },
                {
                    let piece = VaultPiece(version: 1, piece: 1, pieces: 1, bytes: Data([1]))
                    try await store.setPiece(piece, in: house, as: stranger, at: now)
                },
                { try await store.removeVault(of: house, as: stranger, at: now) },
                { _ = try await store.vault(of: house, as: stranger) },
                { _ = try await store.piece(1, version: 1, of: house, as: stranger) },
            ]
            for (index, attempt) in attempts.enumerated() {
                await #expect(throws: RelayStoreError.notFound, "attempt \(index)") { try await attempt() }
            }
            #expect(try await fixture.status().seq == 1)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aLargerListOfReadersReplacesASmallerOne(kind: StoreKind) async throws {
        try await kind.with { fixture in
            _ = try await fixture.makeFeed()
            let (ann, ben) = (IdentityKey().publicKey, IdentityKey().publicKey)
            func set(_ seq: Int64, _ readers: [ReaderList.Reader]) async throws -> [PublicKey] {
                let list = ReaderList(seq: seq, readers: readers)
                return try await fixture.store.setReaders(list, of: fixture.feed, in: fixture.house, as: fixture.owner)
            }
            func canRead(_ key: PublicKey) async throws -> Bool {
                do {
                    _ = try await fixture.store.status(of: fixture.feed, in: fixture.house, as: key, at: fixture.now)
                    return true
                } catch RelayStoreError.notFound {
                    return false
                }
            }
            #expect(try await set(2, [.init(ann, .read), .init(ben, [.read, .pipe])]) == [])
            for key in [ann, ben] { #expect(try await canRead(key)) }
            // A reader writes nothing.
            await #expect(throws: RelayStoreError.notFound) {
                try await fixture.store.setBeat(
                    Data([1]),
                    of: fixture.feed,
                    in: fixture.house,
                    as: ann,
                    at: fixture.now
                )
            }
            await #expect(throws: RelayStoreError.outdated(stored: 2)) { _ = try await set(1, []) }
            await #expect(throws: RelayStoreError.outdated(stored: 2)) { _ = try await set(2, []) }
            // The same list again, after a lost answer.
            #expect(try await set(2, [.init(ben, [.read, .pipe]), .init(ann, .read)]) == [])
            #expect(
                try await set(3, [.init(ann, .mail)]).sorted { $0.base64 < $1.base64 }
                    == [ann, ben].sorted {
                        $0.base64 < $1.base64
                    }
            )
            for key in [ann, ben] { #expect(try await !canRead(key)) }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aTokenRegistersAsManyHousesAsItSaysUntilItEnds(kind: StoreKind) async throws {
        try await kind.with { fixture in
            let (store, owner) = (fixture.store, fixture.owner)
            let token = RegistrationToken()
            let grant = RegistrationGrant(hash: token.hash, houseClass: .home, uses: 2, expires: fixture.now + 10)
            try await store.add(grant)
            func register(_ house: HouseID, at time: Int64, _ token: RegistrationToken? = token) async throws -> Bool {
                let permit = token.map { RegistrationPermit.token(hash: $0.hash) }
                return try await store.register(house, owners: [owner], with: permit, as: owner, at: time)
            }
            let house = HouseID.random()
            await #expect(throws: RelayStoreError.registrationRefused) {
                _ = try await register(house, at: fixture.now, nil)
            }
            await #expect(throws: RelayStoreError.registrationRefused) {
                _ = try await register(house, at: fixture.now, RegistrationToken())
            }
            await #expect(throws: RelayStoreError.registrationRefused) {
                _ = try await register(house, at: fixture.now + 10)
            }
            #expect(try await register(house, at: fixture.now))
            // The house exists, so this uses nothing up.
            #expect(try await !register(house, at: fixture.now, nil))
            #expect(try await register(HouseID.random(), at: fixture.now + 9))
            await #expect(throws: RelayStoreError.registrationRefused) {
                _ = try await register(HouseID.random(), at: fixture.now + 9)
            }
        }
    }

    // MARK: Limits

    @Test(arguments: StoreKind.allCases)
    func aHouseHasItsFeedsAndNotOneMore(kind: StoreKind) async throws {
        try await kind.with { fixture in
            _ = try await fixture.makeFeed()
            let (store, house, owner) = (fixture.store, fixture.house, fixture.owner)
            for _ in 1..<HouseQuota.home.feeds { #expect(try await store.makeFeed(.random(), in: house, as: owner)) }
            await #expect {
                _ = try await store.makeFeed(.random(), in: house, as: owner)
            } throws: { error in
                if case .quotaExceeded? = error as? RelayStoreError { true } else { false }
            }
            // One that exists isn't one more, and one that ended makes room.
            #expect(try await !store.makeFeed(fixture.feed, in: house, as: owner))
            try await store.removeFeed(fixture.feed, in: house, as: owner)
            #expect(try await store.makeFeed(.random(), in: house, as: owner))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aFeedThatEndedLeavesNothing(kind: StoreKind) async throws {
        try await kind.with { fixture in
            var writer = try await fixture.makeFeed()
            _ = try await fixture.append([writer.next()])
            try await fixture.store.removeFeed(fixture.feed, in: fixture.house, as: fixture.owner)
            await #expect(throws: RelayStoreError.notFound) { _ = try await fixture.status() }
            #expect(try await fixture.store.makeFeed(fixture.feed, in: fixture.house, as: fixture.owner))
            #expect(try await fixture.status() == FeedStatus(seq: 0, head: .zero, gen: 0, base: 0))
            #expect(try await fixture.entries() == .entries([], position: FeedPosition()))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func theEnvelopesOfTheLastTwoGenerationsAreKept(kind: StoreKind) async throws {
        try await kind.with { fixture in
            _ = try await fixture.makeFeed()
            let device = UUID()
            func set(_ generation: Int64, _ device: UUID) async throws {
                let envelope = StoredEnvelope(generation: generation, device: device, bytes: Data("\(generation)".utf8))
                try await fixture.store.setEnvelope(
                    envelope,
                    of: fixture.feed,
                    in: fixture.house,
                    as: fixture.owner,
                    at: fixture.now
                )
            }
            func get(_ generation: Int64) async throws -> Data? {
                do {
                    return try await fixture.store.envelope(
                        generation,
                        to: device,
                        of: fixture.feed,
                        in: fixture.house,
                        as: fixture.owner
                    )
                } catch RelayStoreError.notFound {
                    return nil
                }
            }
            for generation in 1...3 as ClosedRange<Int64> { try await set(generation, device) }
            #expect(try await get(1) == nil)
            #expect(try await get(2) == Data("2".utf8))
            #expect(try await get(3) == Data("3".utf8))
            await #expect(throws: RelayStoreError.outdated(stored: 3)) { try await set(1, device) }
            for _ in 1..<RelayLimits.envelopesPerGeneration { try await set(3, UUID()) }
            await #expect {
                try await set(3, UUID())
            } throws: { error in
                if case .quotaExceeded? = error as? RelayStoreError { true } else { false }
            }
            // Replacing one isn't one more.
            try await set(3, device)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aVaultThatWasRemovedIsGoneForItsReadersTooAndCanBeginAgain(kind: StoreKind) async throws {
        try await kind.with { fixture in
            _ = try await fixture.makeFeed()
            let (store, house, owner, now) = (fixture.store, fixture.house, fixture.owner, fixture.now)
            try await store.removeVault(of: house, as: owner, at: now)
            for (version, pieces) in [(1, 1), (2, 1), (3, 2)] {
                let piece = VaultPiece(version: Int64(version), piece: 1, pieces: pieces, bytes: Data([1]))
                try await store.setPiece(piece, in: house, as: owner, at: now)
            }
            let reader = IdentityKey().publicKey
            let list = ReaderList(seq: 1, readers: [.init(reader, [.read, .vault])])
            _ = try await store.setReaders(list, of: fixture.feed, in: house, as: owner)
            #expect(try await store.vault(of: house, as: reader).versions.count == 3)
            await #expect(throws: RelayStoreError.notFound) {
                try await store.removeVault(of: house, as: reader, at: now)
            }
            for _ in 1...2 { try await store.removeVault(of: house, as: owner, at: now) }
            #expect(try await store.vault(of: house, as: reader).versions.isEmpty)
            await #expect(throws: RelayStoreError.notFound) {
                _ = try await store.piece(1, version: 2, of: house, as: owner)
            }
            let again = VaultPiece(version: 1, piece: 1, pieces: 1, bytes: Data([2]))
            try await store.setPiece(again, in: house, as: owner, at: now)
            #expect(try await store.piece(1, version: 1, of: house, as: reader) == Data([2]))
            #expect(try await fixture.status().seq == 0, "the feed is there")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func theLastTwoCompleteVersionsOfTheVaultAreKept(kind: StoreKind) async throws {
        try await kind.with { fixture in
            _ = try await fixture.makeFeed()
            let (store, house, owner, now) = (fixture.store, fixture.house, fixture.owner, fixture.now)
            func set(_ version: Int64, _ piece: Int, of pieces: Int) async throws {
                let bytes = Data("\(version).\(piece)".utf8)
                let piece = VaultPiece(version: version, piece: piece, pieces: pieces, bytes: bytes)
                try await store.setPiece(piece, in: house, as: owner, at: now)
            }
            func versions() async throws -> [Int64] {
                try await store.vault(of: house, as: owner).versions.map { $0.isComplete ? $0.version : -$0.version }
            }
            try await set(1, 1, of: 1)
            try await set(2, 2, of: 2)
            #expect(try await versions() == [-2, 1])
            // An attempt that broke off gives way to a newer one.
            try await set(3, 1, of: 2)
            #expect(try await versions() == [-3, 1])
            await #expect(throws: RelayStoreError.outdated(stored: 3)) { try await set(2, 1, of: 2) }
            try await set(3, 2, of: 2)
            try await set(4, 1, of: 1)
            #expect(try await versions() == [4, 3])
            #expect(try await store.piece(2, version: 3, of: house, as: owner) == Data("3.2".utf8))
            await #expect(throws: RelayStoreError.notFound) {
                _ = try await store.piece(1, version: 1, of: house, as: owner)
            }
            // Again, after a lost answer.
            try await set(4, 1, of: 1)
            await #expect(throws: RelayStoreError.outdated(stored: 4)) { try await set(3, 1, of: 2) }
            // A reader needs the right.
            let (reader, other) = (IdentityKey().publicKey, IdentityKey().publicKey)
            let list = ReaderList(seq: 1, readers: [.init(reader, [.read, .vault]), .init(other, .read)])
            _ = try await store.setReaders(list, of: fixture.feed, in: house, as: owner)
            #expect(try await store.piece(1, version: 4, of: house, as: reader) == Data("4.1".utf8))
            await #expect(throws: RelayStoreError.notFound) {
                _ = try await store.piece(1, version: 4, of: house, as: other)
            }
        }
    }

    // MARK: Durability

    @Test(arguments: StoreKind.allCases)
    func everythingIsThereAfterAnotherStart(kind: StoreKind) async throws {
        try await kind.with { fixture in
            var writer = try await fixture.makeFeed()
            let item = writer.next(base: true)
            _ = try await fixture.append([item])
            try await fixture.store.setBeat(
                Data("beat".utf8),
                of: fixture.feed,
                in: fixture.house,
                as: fixture.owner,
                at: fixture.now
            )
            let secret = try await fixture.store.secret()
            await fixture.store.close()
            await #expect(throws: RelayStoreError.closed) { _ = try await fixture.append([writer.item()]) }
            var again = fixture
            again.store = try await kind.open(in: fixture.folder)
            #expect(try await again.store.secret() == secret && secret.count == SessionToken.secretByteCount)
            let beat = Data("beat".utf8)
            #expect(try await again.status() == FeedStatus(seq: 1, head: writer.head, gen: 1, base: 1, beat: beat))
            #expect(try await again.append([item, writer.item()]) == [.appended(seq: 1), .appended(seq: 2)])
            await again.store.close()
        }
    }
}
