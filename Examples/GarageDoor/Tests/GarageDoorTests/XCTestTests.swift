import GarageDoor
import HomeKitTesting
import XCTest

/// A test home for the test's own task.
final class LampXCTests: XCTestCase {
    func testThereIsALamp() async throws {
        try await withTestHome { home in
            try await home.add(.lamp("Desk"))
            let accessories = try await home.app().home().accessories
            XCTAssertEqual(accessories.map(\.name), ["Desk"])
        }
    }
}

/// Test homes for the whole process, which a static store uses.
final class StoreXCTests: XCTestCase {
    func testTheStoreHasEachTestsHome() async throws {
        for name in ["Villa", "Cabin"] {
            try await withTestHome(named: name, scope: .process) { home in
                let manager = HomeStore.shared.manager
                try await home.until("the store has the home", is: [name]) { manager.homes.map(\.name) }
            }
        }
    }
}
