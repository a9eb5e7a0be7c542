import HomeKitTesting
import Synchronization
import Testing

/// The store of a typical app: its only manager is in a static property, and it isn't aware of tests.
final class Store: NSObject, HMHomeManagerDelegate, Sendable {
    static let shared = Store()

    let manager = HMHomeManager()
    private let received = Mutex(0)

    /// The number of times that the delegate was notified of new homes.
    var updates: Int { received.withLock { $0 } }

    override init() {
        super.init()
        manager.delegate = self
    }

    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        received.withLock { $0 += 1 }
    }
}

@Suite(.serialized)
struct StaticStoreTests {
    @Test(arguments: ["Villa", "Cabin", "Flat"])
    func aStaticStoreSeesTheHomeOfEachTest(name: String) async throws {
        try await withTestHome(named: name, scope: .process) { home in
            let lamp = try await home.add(.lamp("Desk"))
            let store = Store.shared
            try await home.until("the store has this home", is: [name]) { store.manager.homes.map(\.name) }
            let own = try #require(store.manager.homes.first)
            try await home.until("the store has the lamp", is: 1) { own.accessories.count }
            let power = try #require(
                own.servicesWithTypes([HMServiceTypeLightbulb])?.first?.characteristics.first {
                    $0.characteristicType == HMCharacteristicTypePowerState
                }
            )
            try await power.writeValue(true)
            #expect(try await lamp[\.on] == true)
            #expect(store.updates > 0)
            let same = try await home.app().home()
            #expect(same.uniqueIdentifier == own.uniqueIdentifier)
        }
    }

    @Test func aStoreKnowsTheNextHomeWhenItsTestBegins() async throws {
        try await withTestHome(named: "First", scope: .process) { home in
            try await home.until("the store has this home", is: ["First"]) { Store.shared.manager.homes.map(\.name) }
        }
        let updates = Store.shared.updates
        try await withTestHome(named: "Second", scope: .process) { home in
            #expect(Store.shared.manager.homes.map(\.name) == ["Second"])
            #expect(Store.shared.updates == updates + 1)
        }
    }

    @Test func theNextHomeWaitsForNoManagerThatIsGone() async throws {
        var manager: HMHomeManager? = try await withTestHome(named: "First", scope: .process) { home in
            let manager = HMHomeManager()
            try await home.until("the manager has this home", is: ["First"]) { manager.homes.map(\.name) }
            return manager
        }
        // It waits for the next hub, and is released before there is one.
        #expect(manager != nil)
        manager = nil
        try await withTestHome(named: "Second", scope: .process) { home in
            let late = HMHomeManager()
            try await home.until("the manager has this home", is: ["Second"]) { late.homes.map(\.name) }
        }
    }

    @Test func aSecondHomeOfTheProcessWithinTheFirstIsRefusedInsteadOfWaitingForEver() async throws {
        try await withTestHome(named: "First", scope: .process) { home in
            let error = await #expect(throws: TestHomeError.self) {
                try await withTestHome(named: "Second", scope: .process) { _ in }
            }
            #expect(error?.description.contains("Only one can exist at a time") == true)
            let own = try await home.app().home()
            #expect(own.name == "First")
        }
    }

    /// Runs in a separate process, because it is about the order of creation.
    @Test func aStoreThatIsMadeTooSoonWaitsForTheFirstHomeOfTheProcess() async {
        await #expect(processExitsWith: .success) {
            // Don't use the machine's own hub, if there is one.
            setenv("HEARTH_SOCKET", "/nonexistent/hearth/hub.sock", 1)
            let manager = try await withTestHome(named: "Own") { home in
                // As for a store that a detached task or a Dispatch queue is the first to use.
                let manager = await Task.detached { HMHomeManager() }.value
                let error = await #expect(throws: WaitTimeoutError.self) {
                    try await home.until("there is a home", within: .milliseconds(50)) { !manager.homes.isEmpty }
                }
                #expect(
                    error?.state.contains("no connected apps: a manager finds this home if it is created in") == true
                )
                return manager
            }
            try await withTestHome(named: "Stage", scope: .process) { _ in
                #expect(manager.homes.map(\.name) == ["Stage"])
            }
        }
    }

    /// Runs in a separate process, because it is about the order of creation.
    @Test func aStoreThatIsMadeInAHomeOfATaskIsToldToBelongThere() async {
        await #expect(processExitsWith: .success) {
            let manager = try await withTestHome(named: "Own") { _ in HMHomeManager() }
            try await withTestHome(named: "Stage", scope: .process) { home in
                let error = await #expect(throws: WaitTimeoutError.self) {
                    try await home.until("there is a home", is: ["Stage"], within: .milliseconds(50)) {
                        manager.homes.map(\.name)
                    }
                }
                #expect(
                    error?.state.contains("no connected apps: a manager finds this home if it is created outside")
                        == true
                )
            }
        }
    }

    @Test func aManagerOfATestsOwnTaskDoesNotSeeTheProcesssHome() async throws {
        try await withTestHome(named: "Stage", scope: .process) { stage in
            try await withTestHome(named: "Own") { home in
                let manager = HMHomeManager()
                try await home.until("there is a home", is: ["Own"]) { manager.homes.map(\.name) }
            }
            let manager = HMHomeManager()
            try await stage.until("there is a home", is: ["Stage"]) { manager.homes.map(\.name) }
        }
    }
}
