import Foundation
import HomeModel
import HomeStore
import Testing

/// Claims of firings, and the state that automations keep.
struct FiringTests {
    private let folder: TemporaryFolder
    private let home = UUID()
    private let trigger = UUID()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func claim(_ occurrence: String, of trigger: UUID? = nil) -> FiringClaim {
        let time = Date(milliseconds: 1_700_000_000_000)
        return FiringClaim(home: home, trigger: trigger ?? self.trigger, occurrence: occurrence, time: time)
    }

    @Test func aFiringIsClaimedOnceAlsoAfterTheStoreIsOpenedAgain() async throws {
        var store = try await HomeStore.open(at: folder.data)
        #expect(
            try await store.claim([claim("1"), claim("1"), claim("2"), claim("1", of: UUID())]) == [
                true, false, true, true,
            ]
        )
        try await store.close()
        store = try await HomeStore.open(at: folder.data)
        #expect(try await store.claim([claim("1"), claim("3")]) == [false, true])
        try await store.close()
    }

    @Test func whatWasNotCompletedIsKnownAfterwards() async throws {
        let store = try await HomeStore.open(at: folder.data)
        _ = try await store.claim([claim("1"), claim("2")])
        try await store.complete(claim("1"))
        #expect(try await store.incompleteFirings() == [claim("2")])
        try await store.close()
    }

    @Test func stateIsStoredWithANewClaimOnly() async throws {
        let store = try await HomeStore.open(at: folder.data)
        let key = StateKey(.run, home: home, id: trigger)
        _ = try await store.claim([claim("1")], updating: [0: [key: [1]]])
        #expect(try await store.states(.run) == [key: [1]])
        _ = try await store.claim([claim("1")], updating: [0: [key: [2]]])
        #expect(try await store.states(.run) == [key: [1]])
        try await store.setStates([key: nil])
        #expect(try await store.states(.run).isEmpty)
        #expect(try await store.states(.presence).isEmpty)
        try await store.close()
    }

    @Test func anOccurrenceHasALimit() async throws {
        let store = try await HomeStore.open(at: folder.data)
        let limit = FiringLimits.occurrenceLength
        #expect(try await store.claim([claim(String(repeating: "a", count: limit))]) == [true])
        let error = await #expect(throws: StoreError.self) {
            _ = try await store.claim([claim("b"), claim(String(repeating: "a", count: limit + 1))])
        }
        #expect(error?.code == .invalid)
        // Nothing was claimed.
        #expect(try await store.claim([claim("b")]) == [true])
        try await store.close()
    }

    @Test func theOldestCompleteClaimsAreRemovedBeyondTheLimit() async throws {
        let store = try await HomeStore.open(at: folder.data)
        _ = try await store.claim([claim("complete"), claim("incomplete")])
        try await store.complete(claim("complete"))
        let limit = Int(FiringLimits.claims)
        // These two and the others are as many as are kept.
        _ = try await store.claim((2..<limit).map { claim("\($0)") })
        #expect(try await store.claim([claim("complete")]) == [false])
        _ = try await store.claim([claim("one more")])
        #expect(try await store.claim([claim("complete"), claim("incomplete")]) == [true, false])
        try await store.close()
    }
}
