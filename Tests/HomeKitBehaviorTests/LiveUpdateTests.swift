import HomeKitTesting
import Testing

/// Notifications of changes by other apps and by accessories.
struct LiveUpdateTests {
    /// A home with one lamp, an app that uses it, and the calls to the app's delegate.
    private struct Watcher {
        let lamp: TestAccessory
        let accessory: HMAccessory
        let brightness: HMCharacteristic
        let power: HMCharacteristic
        let recorder = DelegateRecorder()

        init(_ home: TestHome, app: String = "A") async throws {
            lamp = try await home.add(.lamp("Desk"))
            accessory = try await home.app(app).accessory("Desk")
            accessory.delegate = recorder
            brightness = try await home.app(app).characteristic(HMCharacteristicTypeBrightness, of: "Desk")
            power = try await home.app(app).characteristic(HMCharacteristicTypePowerState, of: "Desk")
        }
    }

    @Test func theValueIsInPlaceBeforeTheDelegateHears() async throws {
        try await withTestHome { home in
            let watcher = try await Watcher(home)
            try await watcher.brightness.enableNotification(true)
            for percent in [30, 60, 90] as [Int64] { try await watcher.lamp.set(\.brightness, to: .integer(percent)) }
            try await home.until("the last is reported", is: "Desk Brightness 90") { watcher.recorder.notes.last }
            let expected = ["Desk Brightness 30", "Desk Brightness 60", "Desk Brightness 90"]
            #expect(watcher.recorder.notes.filter { !expected.contains($0) }.isEmpty)
        }
    }

    @Test func onlyThoseHearWhoAskedAndOnlyOfThat() async throws {
        try await withTestHome { home in
            let watcher = try await Watcher(home)
            try await watcher.brightness.enableNotification(true)
            let other = DelegateRecorder()
            try await home.app("B").accessory("Desk").delegate = other
            try await watcher.lamp.set(\.on, to: true)
            try await watcher.lamp.set(\.brightness, to: 30)
            try await home.until("the change is reported", is: ["Desk Brightness 30"]) { watcher.recorder.notes }
            // A value without notifications is known once it is read.
            try await watcher.power.readValue()
            #expect(watcher.power.value as? Bool == true)
            try await watcher.brightness.enableNotification(false)
            try await watcher.power.enableNotification(true)
            try await watcher.lamp.set(\.brightness, to: 40)
            try await watcher.lamp.set(\.on, to: false)
            try await home.until("the other change is reported", is: "Desk Power State 0") {
                watcher.recorder.notes.last
            }
            #expect(watcher.recorder.notes.count == 2)
            #expect(other.notes.isEmpty)
        }
    }

    @Test func ownChangesAreToldByTheirCompletionsAlone() async throws {
        try await withTestHome { home in
            let watcher = try await Watcher(home)
            try await watcher.brightness.enableNotification(true)
            let other = DelegateRecorder()
            try await home.app("B").accessory("Desk").delegate = other
            try await home.app("B").characteristic(HMCharacteristicTypeBrightness, of: "Desk").enableNotification(true)
            try await watcher.brightness.writeValue(30)
            try await home.until("the other app is notified", is: ["Desk Brightness 30"]) { other.notes }
            try await watcher.lamp.set(\.brightness, to: 40)
            try await home.until("both are notified of the change at the accessory", is: ["Desk Brightness 40"]) {
                watcher.recorder.notes
            }
            try await home.until("both are notified of the change at the accessory", is: 2) { other.notes.count }
        }
    }

    @Test func everyPressOfAButtonIsHeardThoughTheValueRepeats() async throws {
        try await withTestHome { home in
            let button = try await home.add(.button("Bell"))
            let recorder = DelegateRecorder()
            let event = try await home.app("A").characteristic(HMCharacteristicTypeInputEvent, of: "Bell")
            event.service?.accessory?.delegate = recorder
            try await event.enableNotification(true)
            for _ in 0..<3 { try await button.press() }
            try await home.until("three presses are reported", is: 3) { recorder.notes.count }
            #expect(Set(recorder.notes).count == 1)
        }
    }

    @Test func notificationsAreOffWhileTheAccessoryIsAway() async throws {
        try await withTestHome { home in
            let watcher = try await Watcher(home)
            try await watcher.brightness.enableNotification(true)
            #expect(watcher.brightness.isNotificationEnabled)
            await watcher.lamp.switchOff()
            try await home.until("its going is reported", is: ["Desk unreachable"]) { watcher.recorder.notes }
            #expect(!watcher.brightness.isNotificationEnabled)
            #expect(await code { try await watcher.brightness.enableNotification(true) } == .accessoryNotReachable)
            #expect(await code { try await watcher.power.enableNotification(true) } == .accessoryNotReachable)

            try await watcher.lamp.switchOn()
            try await home.until("its return is reported", is: 1) { watcher.recorder.count("Desk reachable") }
            // A failed call doesn't enable notifications.
            #expect(!watcher.power.isNotificationEnabled)
            try await watcher.power.enableNotification(true)
            try await watcher.lamp.set(\.on, to: true)
            try await home.until("it is on by then", is: 1) { watcher.recorder.count("Desk Power State 1") }
        }
    }

    @Test(.tags(.ownReading))
    func notificationsAreOnAgainWhenTheAccessoryIsBack() async throws {
        try await withTestHome { home in
            let watcher = try await Watcher(home)
            try await watcher.brightness.enableNotification(true)
            for percent in [10, 20] as [Int64] {
                await watcher.lamp.switchOff()
                try await home.until("it is away") { !watcher.accessory.isReachable }
                try await watcher.lamp.switchOn()
                try await home.until("it is back") { watcher.accessory.isReachable }
                #expect(watcher.brightness.isNotificationEnabled)
                try await watcher.lamp.set(\.brightness, to: .integer(percent))
                try await home.until("the change is reported", is: 1) {
                    watcher.recorder.count("Desk Brightness \(percent)")
                }
            }
        }
    }

    @Test(.tags(.ownReading), arguments: [true, false])
    func notificationsOutliveTheHubAlsoIfTheAccessoryComesLater(isAway: Bool) async throws {
        try await withTestHome { home in
            let watcher = try await Watcher(home)
            try await watcher.brightness.enableNotification(true)
            try await watcher.power.enableNotification(true)
            try await watcher.lamp.set(\.brightness, to: 50)
            try await home.until("the change is reported", is: 1) { watcher.recorder.count("Desk Brightness 50") }
            try await home.restartHub(.appsFirst) {
                try await home.until("its going is reported", is: 1) { watcher.recorder.count("Desk unreachable") }
                #expect(!watcher.brightness.isNotificationEnabled)
                if isAway { await watcher.lamp.switchOff() }
            }
            if isAway {
                #expect(!watcher.accessory.isReachable)
                try await watcher.lamp.switchOn()
            }
            try await home.until("its return is reported", is: 1) { watcher.recorder.count("Desk reachable") }
            #expect(watcher.brightness.isNotificationEnabled)
            for percent in [60, 70, 80] as [Int64] {
                try await watcher.lamp.set(\.brightness, to: .integer(percent))
                try await home.until("the change is reported", is: 1) {
                    watcher.recorder.count("Desk Brightness \(percent)")
                }
            }
            // Values that didn't change aren't reported again.
            #expect(watcher.recorder.count("Desk Brightness 50") == 1)
            #expect(watcher.recorder.notes.filter { $0.contains("Power State") }.isEmpty)
        }
    }

    @Test(.tags(.ownReading))
    func whatChangesWithoutAHubIsToldOnceWhenThereIsOne() async throws {
        try await withTestHome { home in
            let watcher = try await Watcher(home)
            try await watcher.brightness.enableNotification(true)
            try await home.restartHub(.appsFirst) { try await watcher.lamp.set(\.brightness, to: 60) }
            try await home.until("the change is reported", is: 1) { watcher.recorder.count("Desk Brightness 60") }
            try await watcher.lamp.set(\.brightness, to: 70)
            try await home.until("the next is reported", is: 1) { watcher.recorder.count("Desk Brightness 70") }
            #expect(watcher.recorder.count("Desk Brightness 60") == 1)
        }
    }

    @Test func whatComesBackCanBeReadInTheCallbackItself() async throws {
        final class Rereader: NSObject, HMAccessoryDelegate, Sendable {
            let recorder = DelegateRecorder()

            func accessoryDidUpdateReachability(_ accessory: HMAccessory) {
                guard accessory.isReachable else { return }
                for characteristic in accessory.services.flatMap(\.characteristics)
                where characteristic.characteristicType == HMCharacteristicTypeBrightness {
                    characteristic.readValue { error in
                        self.recorder.record(
                            "\(characteristic.value ?? "nil") \(error?.localizedDescription ?? "read")"
                        )
                    }
                }
            }
        }
        try await withTestHome { home in
            let watcher = try await Watcher(home)
            let rereader = Rereader()
            watcher.accessory.delegate = rereader
            try await watcher.lamp.set(\.brightness, to: 70)
            await watcher.lamp.switchOff()
            try await home.until("it is away") { !watcher.accessory.isReachable }
            try await watcher.lamp.switchOn()
            try await home.until("it was read", is: ["70 read"]) { rereader.recorder.notes }
        }
    }

    @Test func delegatesAreHeldWeakly() async throws {
        try await withTestHome { home in
            let watcher = try await Watcher(home)
            let own = try await home.app("A").home()
            let manager = home.app("A").manager
            do {
                let short = DelegateRecorder()
                manager.delegate = short
                own.delegate = short
                watcher.accessory.delegate = short
                #expect(watcher.accessory.delegate === short)
            }
            try await home.until("nobody holds the delegate") {
                manager.delegate == nil && own.delegate == nil && watcher.accessory.delegate == nil
            }
            // There is no delegate to notify.
            try await watcher.brightness.enableNotification(true)
            try await watcher.lamp.set(\.brightness, to: 80)
            try await home.until("the value came anyway", is: 80) { watcher.brightness.value as? Int }
        }
    }

    @Test func whatDoesNotNotifyCannotBeEnabled() async throws {
        try await withTestHome { home in
            _ = try await home.add(file: Files.values)
            let small = try await home.app("A").characteristic(Sample.small, of: "Values")
            #expect(!small.properties.contains(HMCharacteristicPropertySupportsEventNotification))
            #expect(await code { try await small.enableNotification(true) } == .notificationNotSupported)
            #expect(!small.isNotificationEnabled)
        }
    }
}
