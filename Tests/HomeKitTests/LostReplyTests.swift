import Foundation
import HAPCatalog
@testable import HomeKit
import HomeModel
import HubAPI
import HubClient
import Synchronization
import Testing

/// Calls whose replies are lost or late, and reads that are sent to the hub together.
struct LostReplyTests {
    private let hub = ScriptedHub()
    private let home: UUID
    private let kitchen: HMRoom
    private let app: App

    init() async throws {
        home = try hub.addHome("Villa")
        let id = try hub.addRoom("Kitchen", in: home)
        app = try await App(on: hub)
        kitchen = try #require(app.home().rooms.first { $0.uniqueIdentifier == id })
    }

    /// Adds the accessories of a server, and waits until the app was notified of the last one.
    @discardableResult
    private func add(_ candidates: [AccessoryCandidate]) async throws -> [UUID] {
        let ids = try hub.addAccessories(candidates, in: home)
        let last = "added accessory \(candidates.last?.reportedName ?? "")"
        while try await app.recorder.next() != last { continue }
        return ids
    }

    // MARK: Lost replies

    @Test func aCallWhoseReplyWasLostIsMadeOnceMoreWithTheSameKey() async throws {
        async let outcome = code { try await kitchen.updateName("Cuisine") }
        let first = try await hub.requests.next()
        hub.lose()
        try await hub.retries.next()()
        let second = try await hub.requests.next()
        #expect(second.method == first.method)
        #expect(second.message.parameters == first.message.parameters)
        #expect(second.message.key == first.message.key)
        #expect(first.message.key != nil)
        try second.reply(Empty())
        #expect(await outcome == nil)
    }

    @Test func theNextGreetingNamesTheConnectionWhoseReplyWasLost() async throws {
        async let outcome = code { try await kitchen.updateName("Cuisine") }
        _ = try await hub.requests.next()
        hub.lose()
        try await hub.retries.next()()
        let second = try await hub.requests.next()
        #expect(hub.greeting?.former == PreviousConnection(run: hub.run.withLock { $0 }, client: ScriptedHub.client))
        try second.reply(Empty())
        #expect(await outcome == nil)
        // No reply is lost this time.
        hub.lose()
        try await hub.retries.next()()
        async let next = code { try await kitchen.updateName("Kitchen") }
        try await hub.requests.next().reply(Empty())
        #expect(await next == nil)
        #expect(hub.greeting?.former == nil)
    }

    @Test func eachCallHasAKeyOfItsOwn() async throws {
        var keys: Set<UUID?> = []
        for _ in 0..<2 {
            async let outcome = code { try await kitchen.updateName("Cuisine") }
            let request = try await hub.requests.next()
            keys.insert(request.message.key)
            try request.reply(Empty())
            #expect(await outcome == nil)
        }
        #expect(keys.count == 2)
    }

    @Test func aCallThatIsLostTwiceFails() async throws {
        async let outcome = code { try await kitchen.updateName("Cuisine") }
        _ = try await hub.requests.next()
        hub.lose()
        try await hub.retries.next()()
        _ = try await hub.requests.next()
        hub.lose()
        #expect(await outcome == .communicationFailure)
    }

    @Test func aHubThatHasStartedAnewIsAskedAgainOnlyForWhatChangesNothing() async throws {
        let lamps = try await add([Devices.lamp("Lamp")])
        let power = try app.accessory("Lamp").characteristic(HMCharacteristicTypePowerState)
        async let renaming = code { try await kitchen.updateName("Cuisine") }
        _ = try await app.request(HubMethods.renameRoom)
        async let reading = code { try await power.readValue() }
        _ = try await app.request(HubMethods.read)
        hub.lose()
        hub.run.withLock { $0 = UUID() }
        try await hub.retries.next()()
        let (request, parameters) = try await app.request(HubMethods.read)
        #expect(parameters.characteristics.map(\.accessory) == lamps)
        let outcome = CharacteristicResults.Outcome(
            characteristic: parameters.characteristics[0],
            value: .bool(true)
        )
        try request.reply(CharacteristicResults(outcomes: [outcome]))
        #expect(await reading == nil)
        #expect(power.value as? Bool == true)
        #expect(await renaming == .communicationFailure)
        #expect(hub.requests.drain().isEmpty)
    }

    @Test func aCallThatIsMadeInAShortGapWaitsForTheFirstRetry() async throws {
        hub.lose()
        let retry = try await hub.retries.next()
        let completed = Inbox<HMError.Code?>()
        // Calls wait until the hub is back, and keep their order.
        for name in ["One", "Two"] {
            kitchen.updateName(name) { completed.put(($0 as? HMError)?.code) }
        }
        #expect(completed.drain().isEmpty)
        #expect(hub.requests.drain().isEmpty)
        retry()
        for name in ["One", "Two"] {
            let (request, parameters) = try await app.request(HubMethods.renameRoom)
            #expect(parameters.request.name == name)
            try request.reply(Empty())
            #expect(try await completed.next() == nil)
        }
    }

    @Test func aCallThatIsMadeInAGapIsNewToAHubThatStartedAnew() async throws {
        hub.lose()
        let retry = try await hub.retries.next()
        async let outcome = code { try await kitchen.updateName("Cuisine") }
        while hub.limits.drain().isEmpty { await Task.yield() }
        hub.restart()
        retry()
        try await app.request(HubMethods.renameRoom).request.reply(Empty())
        #expect(await outcome == nil)
    }

    @Test func aCallInAGapFailsWithTheFirstRetryAndLaterOnesAtOnce() async throws {
        hub.isDown = true
        hub.lose()
        let retry = try await hub.retries.next()
        async let outcome = code { try await kitchen.updateName("Cuisine") }
        while hub.limits.drain().isEmpty { await Task.yield() }
        retry()
        #expect(await outcome == .communicationFailure)
        _ = try await hub.retries.next()
        #expect(await code { try await kitchen.updateName("Cuisine") } == .communicationFailure)
        #expect(hub.requests.drain().isEmpty)
    }

    @Test func aCallInAGapEndsWithItsLimit() async throws {
        hub.lose()
        let retry = try await hub.retries.next()
        async let outcome = code { try await kitchen.updateName("Cuisine") }
        try await hub.limits.next()()
        #expect(await outcome == .operationTimedOut)
        retry()
        async let next = code { try await kitchen.updateName("Kitchen") }
        let (request, parameters) = try await app.request(HubMethods.renameRoom)
        #expect(parameters.request.name == "Kitchen")
        try request.reply(Empty())
        #expect(await next == nil)
    }

    @Test func aHubThatHasStartedAnewAndKnowsWhatItDidIsAskedAgainForThat() async throws {
        hub.keepsRequests.withLock { $0 = true }
        // Connect to a hub that stores requests.
        hub.lose()
        try await hub.retries.next()()
        _ = try await app.recorder.nextUpdate()
        try await add([Devices.lamp("Lamp")])
        let power = try app.accessory("Lamp").characteristic(HMCharacteristicTypePowerState)
        async let renaming = code { try await kitchen.updateName("Cuisine") }
        let first = try await hub.requests.next()
        async let writing = code { try await power.writeValue(true) }
        _ = try await app.request(HubMethods.write)
        hub.lose()
        hub.run.withLock { $0 = UUID() }
        try await hub.retries.next()()
        let second = try await hub.requests.next()
        #expect(second.method == HubMethods.renameRoom.name)
        #expect(second.message.key == first.message.key)
        try second.reply(Empty())
        #expect(await renaming == nil)
        #expect(await writing == .communicationFailure)
        #expect(hub.requests.drain().isEmpty)
    }

    @Test func aHubThatKnowsWhatItDidIsNotAskedAgainForWhatItsFormerSelfDidNotKeep() async throws {
        async let renaming = code { try await kitchen.updateName("Cuisine") }
        _ = try await hub.requests.next()
        hub.lose()
        hub.run.withLock { $0 = UUID() }
        hub.keepsRequests.withLock { $0 = true }
        try await hub.retries.next()()
        #expect(await renaming == .communicationFailure)
        #expect(hub.requests.drain().isEmpty)
    }

    // MARK: The time limit

    @Test func aHubThatHangsEndsNoCallLaterThanItsLimit() async throws {
        async let outcome = code { try await kitchen.updateName("Cuisine") }
        let request = try await hub.requests.next()
        try await hub.limits.next()()
        #expect(await outcome == .operationTimedOut)
        // The late reply is ignored, and the next call isn't affected.
        try request.reply(Empty())
        async let next = code { try await kitchen.updateName("Kitchen") }
        try await hub.requests.next().reply(Empty())
        #expect(await next == nil)
    }

    @Test func aCallThatWaitsForTheNextConnectionHasItsLimitToo() async throws {
        async let outcome = code { try await kitchen.updateName("Cuisine") }
        _ = try await hub.requests.next()
        hub.lose()
        try await hub.limits.next()()
        #expect(await outcome == .operationTimedOut)
        try await hub.retries.next()()
        async let next = code { try await kitchen.updateName("Kitchen") }
        let request = try await hub.requests.next()
        #expect(try request.parameters(of: HubMethods.renameRoom).request.name == "Kitchen")
        try request.reply(Empty())
        #expect(await next == nil)
    }

    @Test func aCallsLimitBeginsWhenTheHubHasAnsweredTheGreeting() async throws {
        let hub = ScriptedHub()
        hub.isSilent = true
        let manager = HMHomeManager(environment: hub.environment())
        async let outcome = code { _ = try await manager.addHome(named: "Cabin") }
        let greeting = try await hub.greetings.next()
        _ = try await hub.requests.next()
        // The first limit is for the greeting.
        _ = try await hub.limits.next()
        #expect(hub.limits.drain().isEmpty)
        hub.answer(greeting)
        try await hub.limits.next()()
        #expect(await outcome == .operationTimedOut)
    }

    @Test func aHubThatHangsAtTheGreetingEndsCallsToo() async throws {
        let hub = ScriptedHub()
        hub.isSilent = true
        let manager = HMHomeManager(environment: hub.environment())
        async let outcome = code { _ = try await manager.addHome(named: "Cabin") }
        try await hub.limits.next()()
        #expect(await outcome == .operationTimedOut)
    }

    @Test(arguments: [
        HubMethods.addAccessory.name, HubMethods.setUpAccessories.name, HubMethods.inviteUser.name,
        HubMethods.manageUsers.name,
    ])
    func aCallDuringWhichAPersonIsAskedHasNoLimit(_ method: String) {
        #expect(CallTimeout.standard.duration(of: method) == nil)
        #expect(CallTimeout.standard.duration(of: HubMethods.read.name) == CallTimeout.standard.ordinary)
    }

    @Test func anAnsweredCallHasNoLimitAnyMore() async throws {
        async let outcome = code { try await kitchen.updateName("Cuisine") }
        try await hub.requests.next().reply(Empty())
        #expect(await outcome == nil)
        try await hub.limits.next()()
        async let next = code { try await kitchen.updateName("Kitchen") }
        try await hub.requests.next().reply(Empty())
        #expect(await next == nil)
    }

    // MARK: Batched reads

    @Test func whatIsReadInOneTurnIsOneCallForEachServer() async throws {
        try await add([Devices.bridge("Bridge"), Devices.lamp("One", aid: 2), Devices.lamp("Two", aid: 3)])
        try await add([Devices.lamp("Three")])
        let lamps = try ["One", "Two", "Three"].map { try app.accessory($0) }
        let powers = try lamps.map { try $0.characteristic(HMCharacteristicTypePowerState) }
        let outcomes = Inbox<String>()
        app.environment.queue.async {
            for (index, power) in powers.enumerated() {
                power.readValue { error in outcomes.put("\(index): \((error as? HMError)?.code.rawValue ?? 0)") }
            }
        }
        let (first, bridged) = try await app.request(HubMethods.read)
        #expect(bridged.characteristics.map(\.accessory) == lamps.prefix(2).map(\.uniqueIdentifier))
        let (second, single) = try await app.request(HubMethods.read)
        #expect(single.characteristics.map(\.accessory) == [lamps[2].uniqueIdentifier])
        // A slow server doesn't delay other servers.
        try second.reply(
            CharacteristicResults(outcomes: [.init(characteristic: single.characteristics[0], value: .bool(true))])
        )
        #expect(try await outcomes.next() == "2: 0")
        #expect(powers[2].value as? Bool == true)
        let failure = HubError(.notReachable, "It is switched off.")
        try first.reply(
            CharacteristicResults(outcomes: [
                .init(characteristic: bridged.characteristics[0], error: failure),
                .init(characteristic: bridged.characteristics[1], value: .bool(false)),
            ])
        )
        #expect(try await outcomes.next() == "0: \(HMError.Code.accessoryNotReachable.rawValue)")
        #expect(try await outcomes.next() == "1: 0")
        #expect(powers[1].value as? Bool == false)
    }

    @Test func readsAndWritesKeepTheirOrder() async throws {
        try await add([Devices.lamp("One")])
        let power = try app.accessory("One").characteristic(HMCharacteristicTypePowerState)
        app.environment.queue.async {
            power.readValue { _ in }
            power.writeValue(true) { _ in }
            power.readValue { _ in }
        }
        var methods: [String] = []
        for _ in 0..<3 { methods.append(try await hub.requests.next().method) }
        #expect(methods == [HubMethods.read.name, HubMethods.write.name, HubMethods.read.name])
    }

    @Test func anAnswerThatIsTooShortFailsTheReadsThatItLacks() async throws {
        try await add([Devices.lamp("One")])
        let power = try app.accessory("One").characteristic(HMCharacteristicTypePowerState)
        async let outcome = code { try await power.readValue() }
        try await hub.requests.next().reply(CharacteristicResults(outcomes: []))
        #expect(await outcome == .clientRequestError)
    }
}
