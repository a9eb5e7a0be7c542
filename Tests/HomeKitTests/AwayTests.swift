import Foundation
import HAPCatalog
import HomeKit
import HomeModel
import HubAPI
import Testing

/// An app that was cut off from its hub, or in front of nobody, and returns.
@Suite(.timeLimit(.minutes(1)))
struct AwayTests {
    private let hub = ScriptedHub()

    // MARK: Cut off

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
        let (renewal, parameters) = try await app.request(HubMethods.notify)
        #expect(parameters.characteristics == [reference])
        try renewal.reply(CharacteristicResults(outcomes: []))
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

    private func enterBackground() {
        center.post(name: Notification.Name("UIApplicationDidEnterBackgroundNotification"), object: nil)
    }

    private func enterForeground() {
        center.post(name: Notification.Name("UIApplicationWillEnterForegroundNotification"), object: nil)
    }

    private func appWithHome() async throws -> (manager: HMHomeManager, recorder: Recorder, home: UUID) {
        let id = try hub.addHome("Villa")
        let manager = HMHomeManager(environment: hub.environment(notifications: center))
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
        // The hub may have told something before it heard.
        try hub.addRoom("Kitchen", in: id)
        try hub.addRoom("Hall", in: id)
        try request.reply(Done())
        while manager.homes.first?.rooms.count != 2 { await Task.yield() }

        enterForeground()
        let second = try await hub.requests.next()
        #expect(second.method == HubMethods.enterForeground.name)
        #expect(recorder.notes.drain().isEmpty)
        try second.reply(Done())
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
            try request.reply(Done())
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
        try request.reply(Done())
        enterForeground()
        let second = try await hub.requests.next()
        #expect(recorder.notes.drain().isEmpty)
        try second.reply(Done())
        #expect(try await recorder.next() == #"homes ["Villa"]"#)
        #expect(manager.homes.first?.rooms.count == 1)
    }
}
