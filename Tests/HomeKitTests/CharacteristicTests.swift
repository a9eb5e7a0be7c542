import Foundation
import HAPCatalog
@testable import HomeKit
import HomeModel
import HubAPI
import Synchronization
import Testing

struct CharacteristicTests {
    /// A home with one lamp, and an app that uses it.
    private struct Lamp {
        let hub = ScriptedHub()
        let app: App
        let home: UUID
        let accessory: HMAccessory

        init() async throws {
            home = try hub.addHome("Villa")
            let lamp = Devices.candidate(
                "Lamp",
                category: .lightbulb,
                services: [Devices.lampService(), Devices.button]
            )
            try hub.addAccessories([lamp], in: home)
            app = try await App(on: hub)
            accessory = try app.accessory("Lamp")
        }

        func reference(_ iid: UInt64) -> CharacteristicReference {
            CharacteristicReference(accessory: accessory.uniqueIdentifier, iid: iid)
        }

        /// Lets the app read a characteristic, and replies with a value.
        func read(_ characteristic: HMCharacteristic, as value: CharacteristicValue) async throws {
            async let read: Void = characteristic.readValue()
            let (request, parameters) = try await app.request(HubMethods.read)
            let reference = try #require(parameters.characteristics.first)
            try request.reply(CharacteristicResults(outcomes: [.init(characteristic: reference, value: value)]))
            try await read
        }

        /// Lets the app enable or disable notifications, and replies with success.
        func notify(_ characteristic: HMCharacteristic, _ isEnabled: Bool = true) async throws {
            async let notified: Void = characteristic.enableNotification(isEnabled)
            let (request, parameters) = try await app.request(HubMethods.notify)
            #expect(parameters.enabled == isEnabled)
            let references = try #require(parameters.characteristics)
            try request.reply(CharacteristicResults(outcomes: references.map { .init(characteristic: $0) }))
            try await notified
        }
    }

    @Test func aCharacteristicTellsWhatItIs() async throws {
        let lamp = try await Lamp()
        let brightness = try lamp.accessory.characteristic(HMCharacteristicTypeBrightness)
        #expect(brightness.localizedDescription == "Brightness")
        #expect(brightness.value == nil)
        #expect(
            brightness.properties == [
                HMCharacteristicPropertyReadable, HMCharacteristicPropertyWritable,
                HMCharacteristicPropertySupportsEventNotification,
            ]
        )
        let metadata = try #require(brightness.metadata)
        #expect(metadata.format == HMCharacteristicMetadataFormatInt)
        #expect(metadata.units == HMCharacteristicMetadataUnitsPercentage)
        #expect(metadata.minimumValue == 0)
        #expect(metadata.maximumValue == 100)
        #expect(metadata.stepValue == 1)
        #expect(metadata == brightness.metadata)
        let power = try lamp.accessory.characteristic(HMCharacteristicTypePowerState)
        #expect(power.localizedDescription == "Power State")
        let fadeRate = try lamp.accessory.characteristic("7E536242-341C-4862-BE90-272CE15BD633")
        #expect(fadeRate.localizedDescription == "Fade Rate")
        #expect(fadeRate.metadata?.minimumValue == 0.5)
        let empty = HMCharacteristicMetadata()
        #expect(empty.format == nil && empty.minimumValue == nil && empty.validValues == nil)
    }

    @Test func valuesCastToWhateverHoldsThem() async throws {
        let lamp = try await Lamp()
        let power = try lamp.accessory.characteristic(HMCharacteristicTypePowerState)
        try await lamp.read(power, as: .bool(true))
        #expect(power.value as? Bool == true)
        #expect(power.value as? Int == 1)
        #expect(power.value as? NSNumber == 1)
        // The hub sends Bools as numbers, as some accessories do.
        try await lamp.read(power, as: .integer(0))
        #expect(power.value as? Bool == false)

        let brightness = try lamp.accessory.characteristic(HMCharacteristicTypeBrightness)
        try await lamp.read(brightness, as: .integer(40))
        #expect(brightness.value as? Int == 40)
        #expect(brightness.value as? Double == 40)
        #expect(brightness.value as? Float == 40)
        #expect(brightness.value as? UInt8 == 40)
        #expect((brightness.value as? NSNumber)?.intValue == 40)

        let fadeRate = try lamp.accessory.characteristic("7E536242-341C-4862-BE90-272CE15BD633")
        try await lamp.read(fadeRate, as: .integer(2))
        #expect(fadeRate.value as? Double == 2)
        #expect(fadeRate.value as? Int == 2)
        try await lamp.read(fadeRate, as: .double(2.5))
        #expect(fadeRate.value as? Double == 2.5)

        let label = try lamp.accessory.characteristic("7E536242-341C-4862-BE90-272CE15BD634")
        try await lamp.read(label, as: .string("Hall"))
        #expect(label.value as? String == "Hall")
    }

    @Test func bytesAreData() {
        #expect(CharacteristicValue.data([1, 2]).boxed(as: .tlv8) as? Data == Data([1, 2]))
        #expect(CharacteristicValue.string("AQI=").boxed(as: .data) as? Data == Data([1, 2]))
        #expect(CharacteristicValue.unsigned(.max).boxed(as: .uint64) as? UInt64 == .max)
    }

    @Test(arguments: [
        (true as any Sendable, CharacteristicValue.bool(true)), (1, .bool(true)),
        (NSNumber(value: false), .bool(false)),
        (0.0, .bool(false)), (UInt8(1), .bool(true)), (NSNumber(value: 1.0), .bool(true)),
    ])
    func boolsAreWrittenHoweverTheAppHoldsThem(_ given: any Sendable, _ sent: CharacteristicValue) async throws {
        try await expectWrite(of: given, to: HMCharacteristicTypePowerState, sends: sent)
    }

    @Test(arguments: [
        (40 as any Sendable, CharacteristicValue.integer(40)), (40.0, .integer(40)), (Float(40), .integer(40)),
        (NSNumber(value: 40), .integer(40)), (UInt64(40), .integer(40)), (Decimal(40), .integer(40)),
        (true, .integer(1)),
        (0, .integer(0)), (100, .integer(100)),
    ])
    func integersAreWrittenHoweverTheAppHoldsThem(_ given: any Sendable, _ sent: CharacteristicValue) async throws {
        try await expectWrite(of: given, to: HMCharacteristicTypeBrightness, sends: sent)
    }

    @Test(arguments: [(2 as any Sendable, CharacteristicValue.double(2)), (2.5, .double(2.5)), (0.5, .double(0.5))])
    func numbersWithFractionsAreWritten(_ given: any Sendable, _ sent: CharacteristicValue) async throws {
        try await expectWrite(of: given, to: "7E536242-341C-4862-BE90-272CE15BD633", sends: sent)
    }

    @Test func textIsWritten() async throws {
        try await expectWrite(of: "12345678", to: "7E536242-341C-4862-BE90-272CE15BD634", sends: .string("12345678"))
    }

    @Test func textAndBytesAreTakenInEveryForm() {
        #expect(CharacteristicValue(NSString(string: "on")) == .string("on"))
        #expect(CharacteristicValue(Data([1, 2])) == .data([1, 2]))
        #expect(CharacteristicValue(NSData(data: Data([1, 2]))) == .data([1, 2]))
        #expect(CharacteristicValue([UInt8]([1, 2])) == .data([1, 2]))
        #expect(CharacteristicValue(UInt64.max) == .unsigned(.max))
        #expect(CharacteristicValue(Int128.max) == nil)
        #expect(CharacteristicValue(NSNull()) == nil)
        #expect(CharacteristicValue([1, 2]) == nil)
    }

    private func expectWrite(of given: any Sendable, to type: String, sends sent: CharacteristicValue) async throws {
        let lamp = try await Lamp()
        let characteristic = try lamp.accessory.characteristic(type)
        async let written: Void = characteristic.writeValue(given)
        let (request, parameters) = try await lamp.app.request(HubMethods.write)
        let write = try #require(parameters.writes.first)
        #expect(write.content == .value(sent))
        let outcome = CharacteristicResults.Outcome(characteristic: write.characteristic, value: write.writtenValue)
        try request.reply(CharacteristicResults(outcomes: [outcome]))
        try await written
        let value = try #require(characteristic.value.flatMap { CharacteristicValue($0) })
        let format = CharacteristicFormat(rawValue: try #require(characteristic.metadata?.format))
        #expect(value.converted(to: format) == sent)
    }

    @Test func aValueThatCannotBeIsRefusedBeforeItIsSent() async throws {
        let lamp = try await Lamp()
        let power = try lamp.accessory.characteristic(HMCharacteristicTypePowerState)
        let brightness = try lamp.accessory.characteristic(HMCharacteristicTypeBrightness)
        let fadeRate = try lamp.accessory.characteristic("7E536242-341C-4862-BE90-272CE15BD633")
        let label = try lamp.accessory.characteristic("7E536242-341C-4862-BE90-272CE15BD634")
        let press = try lamp.accessory.characteristic(HMCharacteristicTypeInputEvent)
        let identify = try lamp.accessory.characteristic(HMCharacteristicTypeIdentify)
        #expect(await code { try await power.writeValue(2) } == .invalidValueType)
        #expect(await code { try await power.writeValue("on") } == .invalidValueType)
        #expect(await code { try await power.writeValue(nil) } == .nilParameter)
        #expect(await code { try await power.writeValue(Date()) } == .invalidValueType)
        #expect(await code { try await brightness.writeValue(-1) } == .valueLowerThanMinimum)
        #expect(await code { try await brightness.writeValue(101) } == .valueHigherThanMaximum)
        #expect(await code { try await brightness.writeValue(40.5) } == .invalidValueType)
        #expect(await code { try await brightness.writeValue(UInt64.max) } == .valueHigherThanMaximum)
        #expect(await code { try await fadeRate.writeValue(0.4) } == .valueLowerThanMinimum)
        #expect(await code { try await fadeRate.writeValue(Double.nan) } == .invalidValueType)
        #expect(await code { try await label.writeValue("123456789") } == .stringLongerThanMaximum)
        #expect(await code { try await press.writeValue(0) } == .readOnlyCharacteristic)
        #expect(await code { try await identify.readValue() } == .writeOnlyCharacteristic)
        #expect(await code { try await identify.enableNotification(true) } == .notificationNotSupported)
        #expect(lamp.hub.requests.drain().isEmpty)
    }

    @Test func aProofGoesWithEveryWriteThatFollows() async throws {
        let lamp = try await Lamp()
        let secret = try lamp.accessory.characteristic(Devices.secret.longForm)
        #expect(secret.properties.contains(HMCharacteristicPropertyRequiresAuthorizationData))
        func write(_ outcome: HubError?) async throws -> (proof: Data?, code: HMError.Code?) {
            async let written = code { try await secret.writeValue(true) }
            let (request, parameters) = try await lamp.app.request(HubMethods.write)
            let write = try #require(parameters.writes.first)
            #expect(!"\(write)".contains("authorizationData: "))
            let answer = CharacteristicResults.Outcome(characteristic: write.characteristic, error: outcome)
            try request.reply(CharacteristicResults(outcomes: [answer]))
            return (write.authorizationData, await written)
        }
        let denied = HubError(.accessoryDenied, "The proof does not do.")
        #expect(try await write(denied) == (nil, .invalidOrMissingAuthorizationData))
        try await secret.updateAuthorizationData(Data([1, 2]))
        #expect(try await write(nil) == (Data([1, 2]), nil))
        #expect(try await write(denied) == (Data([1, 2]), .invalidOrMissingAuthorizationData))
        try await secret.updateAuthorizationData(nil)
        #expect(try await write(nil) == (nil, nil))

        try lamp.hub.change(RemoveAccessory(lamp.accessory.uniqueIdentifier), in: lamp.home)
        #expect(try await lamp.app.recorder.next() == "removed accessory Lamp")
        #expect(await code { try await secret.updateAuthorizationData(Data()) } == .objectNotAssociatedToAnyHome)
    }

    @Test func theNewValueIsThereWhenTheCompletionRuns() async throws {
        let lamp = try await Lamp()
        let brightness = try lamp.accessory.characteristic(HMCharacteristicTypeBrightness)
        brightness.writeValue(40) { error in
            let value = brightness.value as? Int ?? -1
            lamp.app.recorder.notes.put("written \(value) \(error == nil)")
        }
        let (request, _) = try await lamp.app.request(HubMethods.write)
        let outcome = CharacteristicResults.Outcome(characteristic: lamp.reference(12), value: .integer(40))
        try request.reply(CharacteristicResults(outcomes: [outcome]))
        #expect(try await lamp.app.recorder.next() == "written 40 true")
    }

    @Test func aFailedWriteLeavesTheValue() async throws {
        let lamp = try await Lamp()
        let brightness = try lamp.accessory.characteristic(HMCharacteristicTypeBrightness)
        try await lamp.read(brightness, as: .integer(10))
        async let written = code { try await brightness.writeValue(40) }
        let (request, _) = try await lamp.app.request(HubMethods.write)
        let failure = HubError(.notReachable, "It is switched off.")
        let outcome = CharacteristicResults.Outcome(characteristic: lamp.reference(12), error: failure)
        try request.reply(CharacteristicResults(outcomes: [outcome]))
        #expect(await written == .accessoryNotReachable)
        #expect(brightness.value as? Int == 10)
    }

    @Test func everyOneOfManyReadsCompletesOnce() async throws {
        let lamp = try await Lamp()
        let brightness = try lamp.accessory.characteristic(HMCharacteristicTypeBrightness)
        let completed = Inbox<Bool>()
        for _ in 0..<500 { brightness.readValue { completed.put($0 == nil) } }
        var requests: [(ScriptedHub.Request, count: Int)] = []
        while requests.reduce(0, { $0 + $1.count }) < 500 {
            let (request, parameters) = try await lamp.app.request(HubMethods.read)
            requests.append((request, parameters.characteristics.count))
        }
        let outcome = CharacteristicResults.Outcome(characteristic: lamp.reference(12), value: .integer(1))
        for (request, count) in requests.reversed() {
            try request.reply(CharacteristicResults(outcomes: Array(repeating: outcome, count: count)))
        }
        for _ in 0..<500 { #expect(try await completed.next()) }
        #expect(completed.drain().isEmpty)
    }

    @Test func changesAreToldToThoseWhoAskedWithTheValueInPlace() async throws {
        let lamp = try await Lamp()
        let power = try lamp.accessory.characteristic(HMCharacteristicTypePowerState)
        let brightness = try lamp.accessory.characteristic(HMCharacteristicTypeBrightness)
        #expect(!brightness.isNotificationEnabled)
        try await lamp.notify(brightness)
        #expect(brightness.isNotificationEnabled)
        lamp.hub.setValue(.bool(true), of: lamp.reference(11), in: lamp.home)
        lamp.hub.setValue(.integer(40), of: lamp.reference(12), in: lamp.home)
        lamp.hub.setValue(.integer(41), of: lamp.reference(12), in: lamp.home)
        #expect(try await lamp.app.recorder.next() == "Lightbulb Brightness 40")
        #expect(try await lamp.app.recorder.next() == "Lightbulb Brightness 41")
        // The power state has no notifications, but its value is known.
        #expect(power.value as? Bool == true)

        try await lamp.notify(brightness, false)
        lamp.hub.setValue(.integer(42), of: lamp.reference(12), in: lamp.home)
        lamp.hub.setReachable([lamp.accessory.uniqueIdentifier], false, in: lamp.home)
        #expect(try await lamp.app.recorder.next() == "reachable false")
    }

    @Test func aButtonIsHeardAtEveryPress() async throws {
        let lamp = try await Lamp()
        let press = try lamp.accessory.characteristic(HMCharacteristicTypeInputEvent)
        try await lamp.notify(press)
        lamp.hub.setValue(.integer(0), of: lamp.reference(31), in: lamp.home)
        lamp.hub.setValue(.integer(0), of: lamp.reference(31), in: lamp.home)
        for _ in 0..<2 {
            let note = try await lamp.app.recorder.next()
            #expect(note.hasPrefix("Stateless Programmable Switch") && note.hasSuffix(" 0"))
        }
    }

    @Test func notificationsFallWhileTheAccessoryCannotBeReachedAndComeBackWithIt() async throws {
        let lamp = try await Lamp()
        let brightness = try lamp.accessory.characteristic(HMCharacteristicTypeBrightness)
        try await lamp.notify(brightness)
        lamp.hub.setReachable([lamp.accessory.uniqueIdentifier], false, in: lamp.home)
        #expect(try await lamp.app.recorder.next() == "reachable false")
        #expect(!brightness.isNotificationEnabled)
        lamp.hub.setReachable([lamp.accessory.uniqueIdentifier], true, in: lamp.home)
        #expect(try await lamp.app.recorder.next() == "reachable true")
        #expect(brightness.isNotificationEnabled)
        lamp.hub.setValue(.integer(40), of: lamp.reference(12), in: lamp.home)
        #expect(try await lamp.app.recorder.next() == "Lightbulb Brightness 40")
        // The hub is already subscribed.
        #expect(lamp.hub.requests.drain().isEmpty)
    }

    @Test func whatTheAppAsksForWhileTheAccessoryCannotBeReachedIsNoSubscription() async throws {
        let lamp = try await Lamp()
        let power = try lamp.accessory.characteristic(HMCharacteristicTypePowerState)
        let brightness = try lamp.accessory.characteristic(HMCharacteristicTypeBrightness)
        try await lamp.notify(power)
        lamp.hub.setReachable([lamp.accessory.uniqueIdentifier], false, in: lamp.home)
        #expect(try await lamp.app.recorder.next() == "reachable false")
        for characteristic in [power, brightness] {
            async let refused = code { try await characteristic.enableNotification(true) }
            let (request, parameters) = try await lamp.app.request(HubMethods.notify)
            let outcomes = (parameters.characteristics ?? []).map {
                CharacteristicResults.Outcome(characteristic: $0, error: HubError(.notReachable, "It is switched off."))
            }
            try request.reply(CharacteristicResults(outcomes: outcomes))
            #expect(await refused == .accessoryNotReachable)
        }
        lamp.hub.setReachable([lamp.accessory.uniqueIdentifier], true, in: lamp.home)
        #expect(try await lamp.app.recorder.next() == "reachable true")
        // Notifications that were enabled before the failed call stay enabled.
        #expect(power.isNotificationEnabled)
        #expect(!brightness.isNotificationEnabled)
    }

    @Test func aValueThatAnAccessoryBringsBackIsToldOnceAndOnlyIfItChanged() async throws {
        let lamp = try await Lamp()
        let power = try lamp.accessory.characteristic(HMCharacteristicTypePowerState)
        let brightness = try lamp.accessory.characteristic(HMCharacteristicTypeBrightness)
        try await lamp.read(power, as: .bool(true))
        try await lamp.read(brightness, as: .integer(10))
        try await lamp.notify(power)
        try await lamp.notify(brightness)
        lamp.hub.setValue(.bool(true), of: lamp.reference(11), in: lamp.home)
        lamp.hub.setValue(.integer(40), of: lamp.reference(12), in: lamp.home)
        lamp.hub.setValue(.integer(40), of: lamp.reference(12), in: lamp.home)
        lamp.hub.setValue(.integer(41), of: lamp.reference(12), in: lamp.home)
        #expect(try await lamp.app.recorder.next() == "Lightbulb Brightness 40")
        #expect(try await lamp.app.recorder.next() == "Lightbulb Brightness 41")
    }

    @Test func whatChangedBeforeTheHubAgreedToTellIsKnownWithTheAgreement() async throws {
        let lamp = try await Lamp()
        let brightness = try lamp.accessory.characteristic(HMCharacteristicTypeBrightness)
        async let notified: Void = brightness.enableNotification(true)
        let request = try await lamp.app.request(HubMethods.notify).request
        try request.reply(
            CharacteristicResults(outcomes: [.init(characteristic: lamp.reference(12), value: .integer(40))])
        )
        try await notified
        #expect(brightness.value as? Int == 40)
    }

    @Test func theNextGreetingHasTheSubscriptionsAlsoOfUnreachableAccessories() async throws {
        let lamp = try await Lamp()
        let power = try lamp.accessory.characteristic(HMCharacteristicTypePowerState)
        let brightness = try lamp.accessory.characteristic(HMCharacteristicTypeBrightness)
        try await lamp.read(power, as: .bool(true))
        try await lamp.read(brightness, as: .integer(10))
        try await lamp.notify(power)
        try await lamp.notify(brightness)
        #expect(lamp.hub.greeting?.subscriptions == nil)
        let both = CharacteristicSet([lamp.reference(11), lamp.reference(12)], in: lamp.home)
        lamp.hub.keepMissed()
        for _ in 0..<2 {
            // A hub that has just started hasn't reached any accessory and has no values.
            #expect(try await lamp.hub.reconnect(isRestarted: true).subscriptions == both)
            #expect(try await lamp.app.recorder.next() == "reachable false")
            #expect(!power.isNotificationEnabled && !brightness.isNotificationEnabled)
            #expect(brightness.value as? Int == 10)
            lamp.hub.setValue(.integer(10), of: lamp.reference(12), in: lamp.home)
            lamp.hub.setReachable([lamp.accessory.uniqueIdentifier], true, in: lamp.home)
            #expect(try await lamp.app.recorder.next() == "reachable true")
            #expect(power.isNotificationEnabled && brightness.isNotificationEnabled)
        }
        try await lamp.notify(power, false)
        lamp.hub.setValue(.bool(false), of: lamp.reference(11), in: lamp.home)
        lamp.hub.setValue(.integer(40), of: lamp.reference(12), in: lamp.home)
        #expect(try await lamp.app.recorder.next() == "Lightbulb Brightness 40")
        let rest = CharacteristicSet([lamp.reference(12)], in: lamp.home)
        #expect(try await lamp.hub.reconnect().subscriptions == rest)
        #expect(lamp.hub.requests.drain().isEmpty)
    }

    @Test func whatChangedWhileTheAppWasCutOffIsToldOnce() async throws {
        let lamp = try await Lamp()
        let brightness = try lamp.accessory.characteristic(HMCharacteristicTypeBrightness)
        let press = try lamp.accessory.characteristic(HMCharacteristicTypeInputEvent)
        try await lamp.notify(brightness)
        try await lamp.notify(press)
        lamp.hub.keepMissed()
        lamp.hub.lose()
        let retry = try await lamp.hub.retries.next()
        lamp.hub.setValue(.integer(40), of: lamp.reference(12), in: lamp.home)
        // A press that the app missed isn't reported later.
        lamp.hub.setValue(.integer(0), of: lamp.reference(31), in: lamp.home)
        lamp.hub.keepMissed()
        retry()
        #expect(try await lamp.app.recorder.next() == "Lightbulb Brightness 40")
        lamp.hub.setValue(.integer(40), of: lamp.reference(12), in: lamp.home)
        lamp.hub.setValue(.integer(0), of: lamp.reference(31), in: lamp.home)
        #expect(try await lamp.app.recorder.next().hasPrefix("Stateless Programmable Switch"))
    }

    @Test func aSubscriptionWhoseReplyWasLostIsMadeOnTheNextConnection() async throws {
        let lamp = try await Lamp()
        let brightness = try lamp.accessory.characteristic(HMCharacteristicTypeBrightness)
        async let enabled: Void = brightness.enableNotification(true)
        let first = try await lamp.app.request(HubMethods.notify).request
        // With a key, a hub that executed it on the previous connection wouldn't execute it on this one.
        #expect(first.message.key == nil)
        #expect(try await lamp.hub.reconnect(isRestarted: true).subscriptions == nil)
        let (request, parameters) = try await lamp.app.request(HubMethods.notify)
        #expect(parameters.characteristics == [lamp.reference(12)])
        try request.reply(CharacteristicResults(outcomes: [.init(characteristic: lamp.reference(12))]))
        try await enabled
    }

    @Test func aSubscriptionFollowsACharacteristicThatIsNumberedAnew() async throws {
        let lamp = try await Lamp()
        let brightness = try lamp.accessory.characteristic(HMCharacteristicTypeBrightness)
        let press = try lamp.accessory.characteristic(HMCharacteristicTypeInputEvent)
        try await lamp.notify(brightness)
        try await lamp.notify(press)
        // New firmware renumbers the lamp and removes the button.
        let candidate = Devices.candidate(
            "Lamp",
            id: lamp.accessory.uniqueIdentifier,
            category: .lightbulb,
            services: [Devices.lampService(first: 50)]
        )
        let server = lamp.accessory.uniqueIdentifier.uuidString
        try lamp.hub.change(UpdateAccessories([candidate], server: server), in: lamp.home)
        let (request, parameters) = try await lamp.app.request(HubMethods.notify)
        let moved = try #require(parameters.characteristics)
        #expect(parameters.enabled && parameters.isRenewal == true && moved.count == 1)
        try request.reply(CharacteristicResults(outcomes: moved.map { .init(characteristic: $0) }))
        #expect(brightness.isNotificationEnabled)
        #expect(!press.isNotificationEnabled)
        _ = lamp.app.recorder.notes.drain()
        lamp.hub.setValue(.integer(40), of: moved[0], in: lamp.home)
        #expect(try await lamp.app.recorder.next() == "Lightbulb Brightness 40")
    }

    @Test func subscriptionsEndWithTheirAccessory() async throws {
        let lamp = try await Lamp()
        let other = try lamp.hub.addAccessories([Devices.lamp("Other")], in: lamp.home)[0]
        #expect(try await lamp.app.recorder.next() == "added accessory Other")
        try await lamp.notify(try lamp.accessory.characteristic(HMCharacteristicTypeBrightness))
        try await lamp.notify(try lamp.app.accessory("Other").characteristic(HMCharacteristicTypePowerState))
        try lamp.hub.change(RemoveAccessory(lamp.accessory.uniqueIdentifier), in: lamp.home)
        #expect(try await lamp.app.recorder.next() == "removed accessory Lamp")
        let rest = CharacteristicReference(accessory: other, iid: 11)
        #expect(try await lamp.hub.reconnect().subscriptions == CharacteristicSet([rest], in: lamp.home))
    }

    @Test func aManagerThatStopsListeningDoesNotDeafenAnother() async throws {
        let lamp = try await Lamp()
        let brightness = try lamp.accessory.characteristic(HMCharacteristicTypeBrightness)
        try await lamp.notify(brightness)
        let other = HMHomeManager(environment: lamp.app.environment)
        let recorder = Recorder()
        other.delegate = recorder
        _ = try await recorder.nextUpdate()
        let same = try #require(other.homes.first?.accessories.first).characteristic(HMCharacteristicTypeBrightness)
        try await lamp.notify(same)
        // The hub isn't called, because another manager of the app is still subscribed.
        try await brightness.enableNotification(false)
        #expect(!brightness.isNotificationEnabled)
        #expect(same.isNotificationEnabled)
        #expect(lamp.hub.requests.drain().isEmpty)
        try await lamp.notify(same, false)
    }
}
