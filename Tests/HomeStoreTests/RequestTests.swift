import Foundation
import GRDB
import HomeModel
import Testing

@testable import HomeStore

/// The stored receipts of requests.
@Suite struct RequestTests {
    private let folder: TemporaryFolder
    private let store: HomeStore
    private let user = UUID()

    init() async throws {
        folder = try TemporaryFolder()
        store = try await HomeStore.open(at: folder.data)
    }

    private func receipt(_ reply: String = "{}", bytes: Int? = nil, key: UUID = UUID()) -> RequestReceipt {
        RequestReceipt(
            request: RequestKey(sender: user, app: "test", key: key),
            digest: RequestReceipt.digest(ofMethod: "room.add", parameters: Data(key.uuidString.utf8)),
            reply: bytes.map { Array(repeating: UInt8(ascii: "x"), count: $0) } ?? Array(reply.utf8)
        )
    }

    /// Returns the receipts that a store has, as they were stored.
    private static func known(_ receipts: [RequestReceipt], in store: HomeStore) async throws -> [Bool] {
        var known: [Bool] = []
        for receipt in receipts {
            let stored = try await store.receipt(of: receipt.request)
            #expect(stored == nil || stored == receipt)
            #expect(store.hasReceipt(of: receipt.request) == (stored != nil))
            known.append(stored != nil)
        }
        return known
    }

    /// Expects the same from the store as it is and after it is opened again.
    private func expect(_ receipts: [RequestReceipt], _ expected: [Bool]) async throws {
        #expect(try await Self.known(receipts, in: store) == expected)
        let copy = folder.url.appendingPathComponent("copy-\(UUID())")
        try await store.copy(to: copy)
        let other = try TemporaryFolder()
        let person = Caller(user: user, device: UUID(), app: "test", client: UUID())
        try await HomeStore.restore(copy, to: other.data, by: person, now: Date())
        let again = try await HomeStore.open(at: other.data)
        #expect(try await Self.known(receipts, in: again) == expected)
        try await again.close()
    }

    @Test func aRequestIsKnownFromTheMomentThatItsEntryIsStored() async throws {
        var log = TestLog()
        let first = receipt(#"{"id":"1"}"#)
        #expect(try await Self.known([first], in: store) == [false])
        try await store.append([log.next(receipt: first)])
        #expect(try await Self.known([first], in: store) == [true])
        try await store.close()
        let again = try await HomeStore.open(at: folder.data)
        #expect(try await Self.known([first], in: again) == [true])
        try await again.close()
    }

    @Test func aCopyKnowsTheRequestsWhoseEntriesItHas() async throws {
        var log = TestLog()
        let receipts = [receipt("1"), receipt("2")]
        for receipt in receipts { try await store.append([log.next(receipt: receipt)]) }
        try await expect(receipts + [receipt()], [true, true, false])
    }

    @Test func whatIsNotAppendedLeavesNoReceipt() async throws {
        var (home, other) = (TestLog(), TestLog())
        let (first, second) = (receipt("1"), receipt("2"))
        let fine = home.next(receipt: first)
        var conflicting = other.next(receipt: second)
        conflicting.expectedRevision = 5
        let drafts = [fine, conflicting]
        #expect(await refusal { try await store.append(drafts) } == .conflict)
        try await expect([first, second], [false, false])
        #expect(try await store.logs() == [])
        try await store.append([fine])
        try await expect([first, second], [true, false])
    }

    @Test func aRequestThatWasCarriedOutChangesNothingAgain() async throws {
        var (home, other) = (TestLog(), TestLog())
        let first = receipt("1")
        try await store.append([home.next("One", receipt: first)])
        var again = receipt("2", key: first.request.key)
        again.digest = []
        let repeated = [home.next("Two", receipt: again)]
        #expect(await refusal { try await store.append(repeated) } == .repeated)
        let both = [other.next(), home.next(receipt: first)]
        #expect(await refusal { try await store.append(both, removing: [home.log]) } == .repeated)
        #expect(try await store.logs() == [home.log])
        #expect(try await store.load(home.log)?.records.count == 1)
        try await expect([first], [true])
    }

    @Test func theSameKeyOfAnotherUserOrAppIsAnotherRequest() async throws {
        var log = TestLog()
        let first = receipt("1")
        var (second, third) = (first, first)
        second.request.sender = UUID()
        third.request.app = "other"
        for receipt in [first, second, third] { try await store.append([log.next(receipt: receipt)]) }
        try await expect([first, second, third], [true, true, true])
    }

    @Test func oneRequestMayHaveSeveralEntries() async throws {
        var (home, other) = (TestLog(), TestLog())
        let first = receipt("1")
        let id = first.request.key
        let drafts = [home.next(entryID: id, receipt: first), home.next(entryID: id), other.next(entryID: id)]
        #expect(try await store.append(drafts).map(\.entryID) == [id, id, id])
        try await store.close()
        let again = try await HomeStore.open(at: folder.data)
        #expect(try await again.load(home.log)?.cursor.revision == 2)
        #expect(try await Self.known([first], in: again) == [true])
        try await again.close()
    }

    @Test func ofRequestsThatAreStoredTogetherARepeatedOneFailsAlone() async throws {
        let receipts = (0..<50).map { receipt("\($0)") }
        var logs = receipts.map { _ in TestLog() }
        var last = TestLog()
        let batches =
            receipts.indices.map { [logs[$0].next(receipt: receipts[$0])] } + [[last.next(receipt: receipts[7])]]
        let refusals = await withTaskGroup(of: StoreError.Code?.self) { group in
            for batch in batches { group.addTask { [store] in await refusal { try await store.append(batch) } } }
            return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
        }
        #expect(refusals == [.repeated])
        #expect(try await store.logs().count == 50)
        try await expect(receipts, receipts.map { _ in true })
    }

    @Test func aDigestIsOfTheMethodAndTheParametersAndTheSameInEveryProcess() {
        let digests = [("a", "bc"), ("ab", "c"), ("a", "bcd"), ("", "abc"), ("1 a", "")].map {
            RequestReceipt.digest(ofMethod: $0, parameters: Data($1.utf8))
        }
        #expect(Set(digests).count == digests.count)
        // printf '8 room.add {}' | sha256sum
        let hex = RequestReceipt.digest(ofMethod: "room.add", parameters: Data("{}".utf8))
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(hex == "0ebca1c4e091cfa9b93101607b64d74799936026d48fe4d080e01c16b35a36f9")
    }

    // MARK: Limits

    @Test func asManyRequestsAsTheLimitSaysAreKeptAndOneMoreLetsTheOldestGo() async throws {
        var log = TestLog()
        let receipts = (0..<RequestLimits.count).map { receipt("\($0)") }
        // Several at the same time, as from a hub under load.
        try await store.append(receipts.prefix(3_000).map { log.next(receipt: $0) })
        try await store.append(receipts.dropFirst(3_000).map { log.next(receipt: $0) })
        #expect(try await Self.known([receipts[0], receipts[1]], in: store) == [true, true])
        try await store.append([log.next()])
        let more = receipt("more")
        try await store.append([log.next(receipt: more)])
        try await expect([receipts[0], receipts[1], more], [false, true, true])
        #expect(try await rows() == RequestLimits.count)
        // More at the same time than the limit.
        let many = (0...RequestLimits.count).map { receipt("\($0)") }
        try await store.append(many.map { log.next(receipt: $0) })
        try await expect([receipts[1], more, many[0], many[1]], [false, false, false, true])
        #expect(try await rows() == RequestLimits.count)
    }

    @Test func asManyBytesOfRepliesAsTheLimitSaysAreKept() async throws {
        var log = TestLog()
        let half = RequestLimits.bytes / 2
        let receipts = [receipt(bytes: half), receipt(bytes: half)]
        for receipt in receipts { try await store.append([log.next(receipt: receipt)]) }
        try await expect(receipts, [true, true])
        let one = receipt(bytes: 1)
        try await store.append([log.next(receipt: one)])
        try await expect(receipts + [one], [false, true, true])
        let whole = receipt(bytes: RequestLimits.bytes)
        try await store.append([log.next(receipt: whole)])
        try await expect(receipts + [one, whole], [false, false, false, true])
        let larger = receipt(bytes: RequestLimits.bytes + 1)
        try await store.append([log.next(receipt: larger)])
        try await expect([whole, larger], [false, false])
        try await store.append([log.next(receipt: one)])
        try await expect([one], [true])
    }

    private static let week = TimeInterval(RequestLimits.age) / 1_000

    @Test func aRequestIsKeptForAWeekOfTheHubsClock() async throws {
        var log = TestLog()
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        let receipts = (0..<4).map { receipt("\($0)") }
        try await store.append([log.next(receipt: receipts[0], at: start)])
        try await store.append([log.next(receipt: receipts[1], at: start + 1)])
        try await store.append([log.next(receipt: receipts[2], at: start + Self.week)])
        try await expect(receipts, [true, true, true, false])
        try await store.append([log.next(receipt: receipts[3], at: start + Self.week + 0.001)])
        try await expect(receipts, [false, true, true, true])
    }

    @Test func aClockThatIsSetBackLosesNoRequestsAndKeepsNoneForEver() async throws {
        var log = TestLog()
        let (late, early) = (Date(timeIntervalSince1970: 1_800_000_000), Date(timeIntervalSince1970: 1_600_000_000))
        let receipts = (0..<6).map { receipt("\($0)") }
        try await store.append([log.next(receipt: receipts[0], at: late)])
        // In one transaction and in several.
        try await store.append([log.next(receipt: receipts[1], at: late), log.next(receipt: receipts[2], at: early)])
        try await store.append([log.next(receipt: receipts[3], at: early + Self.week)])
        try await expect(receipts, [true, true, true, true, false, false])
        // Earlier times are counted from the time to which the clock was set back.
        try await store.append([log.next(receipt: receipts[4], at: early + Self.week + 1)])
        try await expect(receipts, [false, false, false, true, true, false])
        try await store.close()
        let again = try await HomeStore.open(at: folder.data)
        try await again.append([log.next(receipt: receipts[5], at: early - 1)])
        #expect(try await Self.known(receipts, in: again) == [false, false, false, true, true, true])
        try await again.close()
    }

    private func rows() async throws -> Int {
        try await store.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM request") ?? -1 }
    }
}
