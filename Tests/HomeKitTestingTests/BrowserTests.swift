import HomeKitTesting
import Synchronization
import Testing

/// Accessories that are in no home, found by a browser and added with real pair setup.
struct BrowserTests {
    @Test(arguments: TestLink.allCases)
    func aBrowserFindsWhatIsPlacedAndTheHomeAddsIt(link: TestLink) async throws {
        try await withTestHome(over: link) { home in
            let lamp = try await home.addUnpaired(.lamp("Desk"))
            let app = home.app("A")
            let browser = app.run { HMAccessoryBrowser() }
            browser.startSearchingForNewAccessories()
            try await home.until("the lamp is found", is: ["Desk"]) { browser.discoveredAccessories.map(\.name) }
            let found = try #require(browser.discoveredAccessories.first)
            try await app.home().addAccessory(found)
            #expect(try await app.home().accessories.map(\.name) == ["Desk"])
            let power = try await app.characteristic(HMCharacteristicTypePowerState, of: "Desk")
            try await power.writeValue(true)
            #expect(try await lamp[\.on] == true)
        }
    }

    @Test func theWrongCodeAddsNothingAndTheRightOneDoes() async throws {
        try await withTestHome { home in
            try await home.addUnpaired(.lamp("Desk"))
            let app = home.app("A")
            let found = try await app.found("Desk", in: home)
            let own = try await app.home()

            home.setupCodeAnswer = .code("111-22-334")
            let refusal = await #expect(throws: HMError.self) { try await own.addAccessory(found) }
            #expect(refusal?.code == .accessoryPairingFailed)
            home.setupCodeAnswer = .none
            let cancellation = await #expect(throws: HMError.self) { try await own.addAccessory(found) }
            #expect(cancellation?.code == .operationCancelled)
            #expect(own.accessories.isEmpty)

            home.setupCodeAnswer = .right
            try await own.addAccessory(found)
            #expect(own.accessories.map(\.name) == ["Desk"])
        }
    }

    @Test func whatIsRemovedOrResetIsFoundAgain() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let app = home.app("A")
            let own = try await app.home()
            try await own.removeAccessory(try #require(own.accessories.first))
            _ = try await app.found("Desk", in: home)
            try await lamp.reset()
            let found = try await app.found("Desk", in: home)
            try await own.addAccessory(found)
            #expect(own.accessories.map(\.name) == ["Desk"])
        }
    }
}

extension TestApp {
    /// Returns an unpaired accessory with a name as soon as a browser of the app finds it.
    func found(_ name: String, in home: TestHome) async throws -> HMAccessory {
        let browser = run { HMAccessoryBrowser() }
        browser.startSearchingForNewAccessories()
        try await home.until("\(name) is found") { browser.discoveredAccessories.contains { $0.name == name } }
        return try #require(browser.discoveredAccessories.first { $0.name == name })
    }
}
