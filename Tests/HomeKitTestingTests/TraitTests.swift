import HomeKitTesting
import Synchronization
import Testing

/// The trait creates a separate home for each test of a suite, and for each case of a test.
@Suite(.testHome(named: "Villa") { try await $0.add(.lamp("Desk")) })
struct TraitTests {
    @Test(arguments: ["Study", "Attic", "Hall"])
    func everyCaseHasAHomeThatNothingHasHappenedIn(room: String) async throws {
        let home = try TestHome.current
        #expect(home.name == "Villa")
        let own = try await home.app().home()
        #expect(own.accessories.map(\.name) == ["Desk"])
        #expect(own.rooms.isEmpty)
        _ = try await own.addRoom(named: room)
    }

    @Test func aManagerThatTheTestMakesFindsTheHome() async throws {
        let manager = HMHomeManager()
        try await TestHome.current.until("the manager has a home", is: ["Villa"]) { manager.homes.map(\.name) }
    }

    @Test(.testHome(named: "Shed", over: .loopback))
    func theInnerHomeIsTheTests() async throws {
        let home = try TestHome.current
        #expect(home.name == "Shed")
        #expect(home.link == .loopback)
        #expect(try await home.app().home().accessories.isEmpty)
    }

    @Test(.testHome(named: "Stage", scope: .process))
    func aStaticStoreFindsTheHomeOfTheTraitsProcess() async throws {
        let home = try TestHome.current
        let store = Store.shared
        try await home.until("the store has the home", is: ["Stage"]) { store.manager.homes.map(\.name) }
        try await home.restartHub()
        #expect(store.manager.homes.map(\.name) == ["Stage"])
    }

    @Test func outsideOfATestsTaskThereIsNoHome() async throws {
        let error = await Task.detached { #expect(throws: TestHomeError.self) { try TestHome.current } }.value
        #expect(error?.description.hasPrefix("No test home is available here.") == true)
    }
}
