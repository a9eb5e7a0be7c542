import GarageDoor
import HomeKitTesting
import XCTest

/// A home that the test's own task finds.
final class LampXCTests: XCTestCase {
    func testThereIsALamp() async throws {
        try await withTestHome { home in
            try await home.add(.lamp("Desk"))
            let accessories = try await home.app().home().accessories
            XCTAssertEqual(accessories.map(\.name), ["Desk"])
        }
    }
}

/// Homes that a static store finds.
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
