import Foundation
import HAPCatalog
@testable import HomeKit
import HomeModel
import HubAPI
import Testing

struct BrowserTests {
    private func found(_ name: String, id: UUID = UUID()) -> DiscoveredAccessory {
        DiscoveredAccessory(
            id: id,
            name: name,
            deviceID: "AA:BB:CC:DD:EE:FF",
            model: "Model",
            category: .lightbulb,
            isPaired: false
        )
    }

    private func search(_ app: App) async throws -> HMAccessoryBrowser {
        let browser = HMAccessoryBrowser(environment: app.environment)
        browser.delegate = app.recorder
        browser.startSearchingForNewAccessories()
        try await app.request(HubMethods.startBrowsing).request.reply(Empty())
        return browser
    }

    @Test func aSearchFindsAndLosesAccessoriesUntilItEnds() async throws {
        let hub = ScriptedHub()
        let app = try await App(on: hub)
        let browser = try await search(app)
        let one = found("One")
        let two = found("Two")
        hub.tell(.discovered(one))
        hub.tell(.discovered(one))
        hub.tell(.discovered(two))
        hub.tell(.discoveryLost(one.id))
        for note in ["found One of 1", "found Two of 2", "lost One of 1"] {
            #expect(try await app.recorder.next() == note)
        }
        browser.stopSearchingForNewAccessories()
        _ = try await app.request(HubMethods.stopBrowsing)
        hub.tell(.discovered(found("Three")))
        try hub.addHome("Villa")
        #expect(try await app.recorder.next() == "added home Villa of 1")
        // The results stay until the next search.
        #expect(browser.discoveredAccessories.map(\.name) == ["Two"])
        browser.startSearchingForNewAccessories()
        #expect(browser.discoveredAccessories.isEmpty)
    }

    @Test func aFoundAccessoryTellsWhatItShows() async throws {
        let hub = ScriptedHub()
        let app = try await App(on: hub)
        let browser = try await search(app)
        var lamp = found("Lamp")
        hub.tell(.discovered(lamp))
        #expect(try await app.recorder.next() == "found Lamp of 1")
        let accessory = try #require(browser.discoveredAccessories.first)
        #expect(accessory.uniqueIdentifier == lamp.id)
        #expect(accessory.category.categoryType == HMAccessoryCategoryTypeLightbulb)
        #expect(accessory.model == "Model")
        #expect(accessory.room == nil)
        #expect(accessory.home == nil)
        #expect(accessory.services.isEmpty)
        lamp.name = "Torch"
        hub.tell(.discovered(lamp))
        try hub.addHome("Villa")
        #expect(try await app.recorder.next() == "added home Villa of 1")
        #expect(accessory.name == "Torch")
        #expect(await code { try await accessory.updateName("Glow") } == .objectNotAssociatedToAnyHome)

        async let identified: Void = accessory.identify()
        let identify = try await app.request(HubMethods.identifyDiscovered)
        #expect(identify.parameters.id == lamp.id)
        try identify.request.reply(Empty())
        try await identified
    }

    @Test func anAddedAccessoryIsTheBrowsersObject() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let app = try await App(on: hub)
        let home = try app.home()
        let browser = try await search(app)
        let lamp = found("Lamp")
        hub.tell(.discovered(lamp))
        #expect(try await app.recorder.next() == "found Lamp of 1")
        let accessory = try #require(browser.discoveredAccessories.first)
        accessory.delegate = app.recorder

        home.addAccessory(accessory) { error in
            app.recorder.notes.put("completed \(home.accessories.first === accessory) \(error == nil)")
        }
        let (request, parameters) = try await app.request(HubMethods.addAccessory)
        #expect(parameters == AddAccessory(home: id, discovered: lamp.id))
        #expect(await code { try await home.addAccessory(accessory) } == .operationInProgress)
        try hub.addAccessories([Devices.lamp("Lamp", id: lamp.id)], in: id, isMine: true)
        hub.tell(.discoveryLost(lamp.id))
        try request.reply(AddedAccessories(ids: [lamp.id]))
        #expect(try await app.recorder.next() == "reachable true")
        #expect(try await app.recorder.next() == "lost Lamp of 0")
        #expect(try await app.recorder.next() == "completed true true")
        #expect(accessory.services.count == 2)
        #expect(accessory.room === home.roomForEntireHome())
        #expect(accessory.delegate === app.recorder)
    }

    @Test func aRefusedAdditionLeavesTheAccessoryWithTheBrowser() async throws {
        let hub = ScriptedHub()
        try hub.addHome("Villa")
        let app = try await App(on: hub)
        let home = try app.home()
        let browser = try await search(app)
        hub.tell(.discovered(found("Lamp")))
        #expect(try await app.recorder.next() == "found Lamp of 1")
        let accessory = try #require(browser.discoveredAccessories.first)
        let refusals: [(HubError.Code, HMError.Code)] = [
            (.wrongSetupCode, .accessoryPairingFailed), (.cancelled, .operationCancelled),
            (.notDiscovered, .accessoryDiscoveryFailed),
        ]
        for (refusal, expected) in refusals {
            async let added = code { try await home.addAccessory(accessory) }
            try await app.request(HubMethods.addAccessory).request.refuse(refusal)
            #expect(await added == expected)
        }
        #expect(accessory.home == nil)
        #expect(browser.discoveredAccessories == [accessory])
    }

    @Test func theHubIsToldToStopWhenTheLastBrowserStops() async throws {
        let hub = ScriptedHub()
        let app = try await App(on: hub)
        let one = try await search(app)
        let two = try await search(app)
        one.stopSearchingForNewAccessories()
        hub.tell(.discovered(found("Lamp")))
        #expect(try await app.recorder.next() == "found Lamp of 1")
        #expect(one.discoveredAccessories.isEmpty)
        two.stopSearchingForNewAccessories()
        #expect(try await hub.requests.next().method == HubMethods.stopBrowsing.name)
    }

    @Test func aSearchOutlivesTheConnection() async throws {
        let hub = ScriptedHub()
        let app = try await App(on: hub)
        let browser = try await search(app)
        let lamp = found("Lamp")
        hub.tell(.discovered(lamp))
        #expect(try await app.recorder.next() == "found Lamp of 1")
        hub.lose()
        #expect(try await app.recorder.next() == "lost Lamp of 0")
        try await hub.retries.next()()
        _ = try await app.request(HubMethods.startBrowsing)
        #expect(try await app.recorder.next() == "homes []")
        hub.tell(.discovered(lamp))
        #expect(try await app.recorder.next() == "found Lamp of 1")
        #expect(browser.discoveredAccessories.count == 1)
    }
}
