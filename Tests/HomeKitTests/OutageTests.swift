import Foundation
import HAPCatalog
@testable import HomeKit
import HomeModel
import HubAPI
import Testing

/// Many accessories that disconnect and reconnect.
struct OutageTests {
    @Test func anEventAboutOneAccessoryIsComparedWithThatOneAlone() {
        let home = UUID()
        var state = HubState()
        let updates = (0..<1_000).map { _ in ReachabilityUpdate(home: home, accessory: UUID(), isReachable: true) }
        state.apply(.reachability(updates))
        let event = HubEvent.reachability([
            ReachabilityUpdate(home: home, accessory: updates[7].accessory, isReachable: false),
            ReachabilityUpdate(home: home, accessory: UUID(), isReachable: false),
        ])
        #expect(HubStateSummary(state, before: event).reachability == [updates[7].accessory: updates[7]])
        #expect(
            HubStateSummary(state, before: .resumed(LiveSnapshot(values: KnownValues(), reachability: []))).reachability
                .count
                == 1_000
        )
    }

    @Test func eachOfManyAccessoriesIsToldOnceAndItsSubscriptionStays() async throws {
        let hub = ScriptedHub()
        let home = try hub.addHome("Villa")
        let candidates = [Devices.bridge("Bridge")] + (2...150).map { Devices.lamp("Lamp \($0)", aid: $0) }
        let accessories = try hub.addAccessories(candidates, in: home).dropFirst()
        let app = try await App(on: hub)
        let lamps = try app.home().accessories.filter(\.isBridged)
        let powers = try lamps.map { try $0.characteristic(HMCharacteristicTypePowerState) }
        for (lamp, power) in zip(lamps, powers) {
            lamp.delegate = app.recorder
            async let enabled: Void = power.enableNotification(true)
            let (request, parameters) = try await app.request(HubMethods.notify)
            let references = try #require(parameters.characteristics)
            try request.reply(CharacteristicResults(outcomes: references.map { .init(characteristic: $0) }))
            try await enabled
        }
        for isReachable in [false, true] {
            for accessory in accessories { hub.setReachable([accessory], isReachable, in: home) }
            for _ in accessories { #expect(try await app.recorder.next() == "reachable \(isReachable)") }
            #expect(powers.filter { $0.isNotificationEnabled != isReachable }.isEmpty)
        }
        #expect(app.recorder.notes.drain().isEmpty)
        #expect(hub.requests.drain().isEmpty)
        let all = CharacteristicSet(accessories.map { CharacteristicReference(accessory: $0, iid: 11) }, in: home)
        #expect(try await hub.reconnect().subscriptions == all)
    }
}
