import Foundation
import HAPCatalog
import HomeKit
import HomeModel
import HubAPI
import Testing

/// An app that was disconnected from its hub, or was in the background, and returns.
struct ReconnectTests {
    private let hub = ScriptedHub()

    // MARK: Disconnected

    @Test func anAppThatReturnsToItsHubHearsOfEachChangeThatItMissed() async throws {
        let id = try hub.addHome("Villa")
        let app = try await App(on: hub)
        let home = try app.home()
        hub.keepMissed()
        hub.lose()
        let retry = try await hub.retries.next()
        try hub.addRoom("Kitchen", in: id)
        try hub.addRoom("Hall", in: id)
        retry()
        #expect(try await app.recorder.next() == "added room Kitchen of 1")
        #expect(try await app.recorder.next() == "added room Hall of 2")
        try hub.change(.renameHome(id, name: "Castle"))
        #expect(try await app.recorder.next() == "home name Castle")
        #expect(home.rooms.map(\.name) == ["Kitchen", "Hall"])
    }

    @Test func anAppThatReturnsHearsOfReachabilityAndOfValuesThatItAskedFor() async throws {
        let id = try hub.addHome("Villa")
        let candidates = [Devices.lamp("Lamp"), Devices.lamp("Other", aid: 2)]
        let accessories = try hub.addAccessories(candidates, in: id)
        let app = try await App(on: hub)
        let lamp = try app.accessory("Lamp")
        _ = try app.accessory("Other")
        let power = try lamp.characteristic(HMCharacteristicTypePowerState)
        let reference = CharacteristicReference(accessory: accessories[0], iid: 11)
        async let enabled: Void = power.enableNotification(true)
        let (request, _) = try await app.request(HubMethods.notify)
        try request.reply(CharacteristicResults(outcomes: [.init(characteristic: reference)]))
        try await enabled

        hub.keepMissed()
        hub.lose()
        let retry = try await hub.retries.next()
        hub.setReachable([accessories[1]], false, in: id)
        hub.setValue(.bool(true), of: reference, in: id)
        hub.keepMissed()
        retry()
        #expect(try await app.recorder.next() == "reachable false")
        #expect(try await app.recorder.next().contains("Power State"))
        #expect(hub.greeting?.subscriptions == CharacteristicSet([reference], in: id))
    }

    @Test func aHubThatIsGoneLeavesItsAccessoriesUnreachableUntilItIsBack() async throws {
        let id = try hub.addHome("Villa")
        let accessories = try hub.addAccessories([Devices.lamp("Lamp"), Devices.lamp("Other", aid: 2)], in: id)
        let app = try await App(on: hub)
        let (lamp, other) = (try app.accessory("Lamp"), try app.accessory("Other"))
        hub.setReachable([accessories[1]], false, in: id)
        #expect(try await app.recorder.next() == "reachable false")
        hub.keepMissed()
        hub.isDown = true
        hub.lose()
        // It may reconnect immediately.
        let retry = try await hub.retries.next()
        #expect(lamp.isReachable && !other.isReachable)
        retry()
        #expect(try await app.recorder.next() == "reachable false")
        #expect(!lamp.isReachable && !other.isReachable)
        try await hub.retries.next()()
        let last = try await hub.retries.next()
        #expect(app.recorder.notes.drain().isEmpty)
        hub.isDown = false
        last()
        #expect(try await app.recorder.next() == "reachable true")
        #expect(lamp.isReachable && !other.isReachable)
    }

    @Test func aHubThatIsBackAtTheFirstRetryLeavesNoTrace() async throws {
        let id = try hub.addHome("Villa")
        try hub.addAccessories([Devices.lamp("Lamp")], in: id)
        let app = try await App(on: hub)
        let lamp = try app.accessory("Lamp")
        hub.keepMissed()
        for _ in 0..<3 { _ = try await hub.reconnect() }
        try hub.addRoom("Kitchen", in: id)
        #expect(try await app.recorder.next() == "added room Kitchen of 1")
        #expect(lamp.isReachable)
    }

    @Test func aManagerThatIsMadeWhileTheHubIsAwayHearsThatTheHomesAreThere() async throws {
        try hub.addHome("Villa")
        let app = try await App(on: hub)
        hub.keepMissed()
        hub.lose()
        let retry = try await hub.retries.next()
        let manager = HMHomeManager(environment: app.environment)
        let recorder = Recorder()
        manager.delegate = recorder
        #expect(manager.homes.isEmpty)
        retry()
        #expect(try await recorder.nextUpdate() == #"homes ["Villa"]"#)
        #expect(app.recorder.notes.drain().isEmpty)
    }

    // MARK: In the background

    private let center = NotificationCenter()
    private let queue = DispatchQueue(label: "app")

    private func enterBackground() {
        center.post(name: Notification.Name("UIApplicationDidEnterBackgroundNotification"), object: nil)
    }

    private func enterForeground() {
        center.post(name: Notification.Name("UIApplicationWillEnterForegroundNotification"), object: nil)
    }

    private func appWithHome() async throws -> (manager: HMHomeManager, recorder: Recorder, home: UUID) {
        let id = try hub.addHome("Villa")
        let manager = HMHomeManager(environment: hub.environment(queue: queue, notifications: center))
        let recorder = Recorder()
        manager.delegate = recorder
        _ = try await recorder.nextUpdate()
        manager.homes.first?.delegate = recorder
        return (manager, recorder, id)
    }

    @Test func anAppInTheBackgroundHearsNothingAndOnReturnOneUpdateForAll() async throws {
        let (manager, recorder, id) = try await appWithHome()
        enterBackground()
        let request = try await hub.requests.next()
        #expect(request.method == HubMethods.enterBackground.name)
        // The hub may send events before it receives the call.
        try hub.addRoom("Kitchen", in: id)
        try hub.addRoom("Hall", in: id)
        try request.reply(Empty())
        while manager.homes.first?.rooms.count != 2 { await Task.yield() }

        enterForeground()
        let second = try await hub.requests.next()
        #expect(second.method == HubMethods.enterForeground.name)
        #expect(recorder.notes.drain().isEmpty)
        try second.reply(Empty())
        #expect(try await recorder.next() == #"homes ["Villa"]"#)
        #expect(manager.homes.first?.rooms.count == 2)
        try hub.addRoom("Attic", in: id)
        #expect(try await recorder.next() == "added room Attic of 3")
    }

    @Test func anAppThatMissedNothingInTheBackgroundHearsNothingOnReturn() async throws {
        let (manager, recorder, id) = try await appWithHome()
        enterBackground()
        enterBackground()
        enterForeground()
        for method in [HubMethods.enterBackground.name, HubMethods.enterForeground.name] {
            let request = try await hub.requests.next()
            #expect(request.method == method)
            try request.reply(Empty())
        }
        try hub.addRoom("Kitchen", in: id)
        #expect(try await recorder.next() == "added room Kitchen of 1")
        #expect(manager.homes.count == 1)
    }

    @Test func anAppInTheBackgroundStaysThereOverALossOfTheHub() async throws {
        let (manager, recorder, id) = try await appWithHome()
        enterBackground()
        _ = try await hub.requests.next()
        hub.lose()
        let retry = try await hub.retries.next()
        try hub.addRoom("Kitchen", in: id)
        retry()
        let request = try await hub.requests.next()
        #expect(request.method == HubMethods.enterBackground.name)
        try request.reply(Empty())
        // If the new state came after the app's return, the app would hear of it at once.
        await request.transport.flush()
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        enterForeground()
        let second = try await hub.requests.next()
        #expect(recorder.notes.drain().isEmpty)
        try second.reply(Empty())
        #expect(try await recorder.next() == #"homes ["Villa"]"#)
        #expect(manager.homes.first?.rooms.count == 1)
    }

    @Test func aDenialInTheBackgroundIsToldOnReturn() async throws {
        let (manager, recorder, _) = try await appWithHome()
        enterBackground()
        try await hub.requests.next().reply(Empty())
        hub.refusal = HubError(.appNotAllowed, "A person said no.")
        hub.lose()
        try await hub.retries.next()()
        // The app retries after it was rejected.
        try await hub.retries.next()()
        _ = try await hub.retries.next()
        #expect(recorder.notes.drain().isEmpty)
        enterForeground()
        #expect(try await recorder.next() == "status \(HMHomeManagerAuthorizationStatus.determined.rawValue)")
        #expect(try await recorder.next() == "homes []")
        #expect(manager.homes.isEmpty)
    }

    @Test func aHubThatWentInTheBackgroundIsToldOnReturn() async throws {
        let (manager, recorder, id) = try await appWithHome()
        try hub.addAccessories([Devices.lamp("Lamp")], in: id)
        #expect(try await recorder.next() == "added accessory Lamp")
        enterBackground()
        try await hub.requests.next().reply(Empty())
        hub.isDown = true
        hub.lose()
        try await hub.retries.next()()
        _ = try await hub.retries.next()
        #expect(recorder.notes.drain().isEmpty)
        enterForeground()
        #expect(try await recorder.next() == #"homes ["Villa"]"#)
        #expect(manager.homes.first?.accessories.first?.isReachable == false)
    }

    @Test func whatABrowserFoundAndLostInTheBackgroundIsToldOnReturn() async throws {
        let environment = hub.environment(notifications: center)
        let manager = HMHomeManager(environment: environment)
        let recorder = Recorder()
        manager.delegate = recorder
        _ = try await recorder.nextUpdate()
        let browser = HMAccessoryBrowser(environment: environment)
        browser.delegate = recorder
        browser.startSearchingForNewAccessories()
        try await hub.requests.next().reply(Empty())
        let found = ["Stays", "Goes", "Comes", "Passes"].map { name in
            DiscoveredAccessory(
                id: UUID(),
                name: name,
                deviceID: "AA:BB:CC:DD:EE:FF",
                model: "Model",
                category: .lightbulb,
                isPaired: false
            )
        }
        for accessory in found.prefix(2) { hub.tell(.discovered(accessory)) }
        #expect(try await recorder.next() == "found Stays of 1")
        #expect(try await recorder.next() == "found Goes of 2")
        enterBackground()
        try await hub.requests.next().reply(Empty())
        hub.tell(.discoveryLost(found[1].id))
        hub.tell(.discovered(found[3]))
        hub.tell(.discoveryLost(found[3].id))
        hub.tell(.discovered(found[2]))
        while browser.discoveredAccessories.map(\.name) != ["Stays", "Comes"] { await Task.yield() }
        #expect(recorder.notes.drain().isEmpty)
        enterForeground()
        try await hub.requests.next().reply(Empty())
        #expect(try await recorder.next() == "lost Goes of 2")
        #expect(try await recorder.next() == "found Comes of 2")
        // Nothing else was missed, and nothing is reported twice.
        hub.tell(.discoveryLost(found[0].id))
        #expect(try await recorder.next() == "lost Stays of 1")
        #expect(manager.homes.isEmpty)
    }
}
