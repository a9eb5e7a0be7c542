import CoreLocation
import HomeKitTesting
import Testing

/// Scenes and automations of apps, by their effects on accessories.
struct AutomationEffectTests {
    /// Adds a scene with one write, as an app does.
    private static func addScene(
        _ name: String,
        to home: HMHome,
        _ characteristic: HMCharacteristic,
        _ value: NSNumber
    ) async throws -> HMActionSet {
        let scene = try await home.addActionSet(named: name)
        try await scene.addAction(HMCharacteristicWriteAction(characteristic: characteristic, targetValue: value))
        return scene
    }

    /// Adds and enables a trigger that runs a scene.
    private static func add(_ trigger: HMTrigger, to home: HMHome, running scene: HMActionSet) async throws {
        try await home.addTrigger(trigger)
        try await trigger.addActionSet(scene)
        try await trigger.enable(true)
    }

    @Test func aSceneRunsAndEveryAppSeesWhatItDid() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let power = try await home.app("A").characteristic(HMCharacteristicTypePowerState, of: "Desk")
            let other = try await home.app("B").characteristic(HMCharacteristicTypePowerState, of: "Desk")
            try await other.enableNotification(true)
            let villa = try await home.app("A").home()
            let scene = try await Self.addScene("Evening", to: villa, power, true)
            try await villa.executeActionSet(scene)
            #expect(try await lamp[\.on] == true)
            try await home.until("the other app sees the lamp on") { other.value as? Bool == true }
            #expect(!scene.isExecuting)
            #expect(scene.lastExecutionDate == (try await home.time))
        }
    }

    @Test func deadAccessoriesAreNamedAndDelayNobody() async throws {
        try await withTestHome { home in
            var lamps: [TestAccessory] = []
            for number in 1...50 { lamps.append(try await home.add(try Self.colorLamp("Lamp \(number)"))) }
            let app = home.app("A")
            let villa = try await app.home()
            let scene = try await villa.addActionSet(named: "Evening")
            for number in 1...50 {
                let name = "Lamp \(number)"
                let values = [
                    (HMCharacteristicTypePowerState, 1), (HMCharacteristicTypeBrightness, 30),
                    (HMCharacteristicTypeHue, 40), (HMCharacteristicTypeSaturation, 80),
                ]
                for (type, value) in values {
                    let characteristic = try await app.characteristic(type, of: name)
                    let action = HMCharacteristicWriteAction(
                        characteristic: characteristic,
                        targetValue: NSNumber(value: value)
                    )
                    try await scene.addAction(action)
                }
            }
            for lamp in lamps.prefix(5) { await lamp.switchOff() }
            let error = await #expect(throws: HMError.self) { try await villa.executeActionSet(scene) }
            #expect(error?.code == .actionSetExecutionPartialSuccess)
            let failed = error?.userInfo[HMUserFailedAccessoriesKey] as? [HMAccessory]
            #expect(Set(failed?.map(\.name) ?? []) == Set((1...5).map { "Lamp \($0)" }))
            for lamp in lamps.dropFirst(5) {
                #expect(try await lamp[\.brightness] == 30)
                #expect(try await lamp[\.saturation] == 80)
            }
        }
    }

    private static func colorLamp(_ name: String) throws -> AccessoryDescription {
        let file = """
            {
              "format": 1, "name": "\(name)", "serialNumber": "SN-\(name)", "category": "Lightbulb",
              "services": [
                { "type": "Lightbulb", "characteristics": { "On": false, "Brightness": 100, "Hue": 0, "Saturation": 0 } }
              ]
            }
            """
        return try AccessoryDescription(parsing: Array(file.utf8), source: name)
    }

    @Test func aTimerOfAnAppFiresAtItsTime() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let power = try await home.app("A").characteristic(HMCharacteristicTypePowerState, of: "Desk")
            let villa = try await home.app("A").home()
            let scene = try await Self.addScene("Evening", to: villa, power, true)
            let start = try await home.time
            let minute = Date(timeIntervalSince1970: (start.timeIntervalSince1970 / 60).rounded(.up) * 60 + 600)
            let trigger = HMTimerTrigger(
                name: "Timer",
                fireDate: minute,
                timeZone: nil,
                recurrence: nil,
                recurrenceCalendar: nil
            )
            try await Self.add(trigger, to: villa, running: scene)
            #expect(trigger.lastFireDate == nil)
            try await home.advanceTime(by: .seconds(300))
            #expect(try await lamp[\.on] == false)
            try await home.advanceTime(by: .seconds(600))
            #expect(try await lamp[\.on] == true)
            try await home.until("the trigger says when it fired") { trigger.lastFireDate == minute }
            try await home.until("a timer that fires once is disabled") { !trigger.isEnabled }
        }
    }

    @Test func aMotionLightGoesOffAgain() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Hall Lamp"))
            let sensor = try await home.add(.motionSensor("Hall Motion"))
            let app = home.app("A")
            let power = try await app.characteristic(HMCharacteristicTypePowerState, of: "Hall Lamp")
            let motion = try await app.characteristic(HMCharacteristicTypeMotionDetected, of: "Hall Motion")
            let villa = try await app.home()
            let scene = try await Self.addScene("Hall", to: villa, power, true)
            let trigger = HMEventTrigger(
                name: "Motion",
                events: [HMCharacteristicEvent(characteristic: motion, triggerValue: NSNumber(value: true))],
                end: [HMDurationEvent(duration: 300)],
                recurrences: nil,
                predicate: nil
            )
            try await Self.add(trigger, to: villa, running: scene)
            try await sensor.set(\.motionDetected, to: true)
            try await home.until("the lamp goes on", is: true) { try await lamp[\.on] }
            try await home.advanceTime(by: .seconds(299))
            #expect(try await lamp[\.on] == true)
            try await home.advanceTime(by: .seconds(1))
            #expect(try await lamp[\.on] == false)
        }
    }

    @Test func aThresholdFiresOnlyWhenItIsCrossed() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let thermometer = try await home.add(.thermometer("Outside"))
            let app = home.app("A")
            let power = try await app.characteristic(HMCharacteristicTypePowerState, of: "Desk")
            let temperature = try await app.characteristic(HMCharacteristicTypeCurrentTemperature, of: "Outside")
            let villa = try await app.home()
            let scene = try await Self.addScene("Warm Light", to: villa, power, true)
            let event = HMCharacteristicThresholdRangeEvent(
                characteristic: temperature,
                thresholdRange: HMNumberRange(minValue: 25)
            )
            let trigger = HMEventTrigger(name: "Warm", events: [event], end: nil, recurrences: nil, predicate: nil)
            try await Self.add(trigger, to: villa, running: scene)
            try await temperature.enableNotification(true)
            try await thermometer.set(\.currentTemperature, to: 24.5)
            try await thermometer.set(\.currentTemperature, to: 26)
            try await home.until("the lamp goes on", is: true) { try await lamp[\.on] }
            try await power.writeValue(false)
            let first = trigger.lastFireDate
            try await home.advanceTime(by: .seconds(60))
            try await thermometer.set(\.currentTemperature, to: 27)
            try await thermometer.set(\.currentTemperature, to: 20)
            try await home.until("the hub sees the cold") { temperature.value as? Double == 20 }
            #expect(try await lamp[\.on] == false)
            try await thermometer.set(\.currentTemperature, to: 25)
            try await home.until("the lamp goes on again", is: true) { try await lamp[\.on] }
            try await home.until("the second firing is later") { trigger.lastFireDate != first }
        }
    }

    @Test func sunsetPresenceAndWeekdaysDecide() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            try await home.setPlace(latitude: 52.52, longitude: 13.405)
            let ann = try await home.guest("Ann")
            let app = home.app("A")
            let power = try await app.characteristic(HMCharacteristicTypePowerState, of: "Desk")
            let villa = try await app.home()
            let scene = try await Self.addScene("Evening", to: villa, power, true)
            let presence = HMPresenceEvent(presenceEventType: .atHome, presenceUserType: .homeUsers)
            let trigger = HMEventTrigger(
                name: "Sunset",
                events: [HMSignificantTimeEvent(significantEvent: .sunset, offset: nil)],
                end: nil,
                recurrences: nil,
                predicate: HMEventTrigger.predicateForEvaluatingTrigger(withPresence: presence)
            )
            try await Self.add(trigger, to: villa, running: scene)
            try await home.setPresence(of: ann, isHome: false)
            try await home.advanceTime(by: .seconds(24 * 60 * 60))
            #expect(try await lamp[\.on] == false)
            try await home.setPresence(of: ann, isHome: true)
            try await home.advanceTime(by: .seconds(24 * 60 * 60))
            #expect(try await lamp[\.on] == true)
        }
    }

    @Test func aTriggerThatExecutesOnceIsDisabledAfterwards() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let app = home.app("A")
            let power = try await app.characteristic(HMCharacteristicTypePowerState, of: "Desk")
            let villa = try await app.home()
            let scene = try await Self.addScene("Evening", to: villa, power, true)
            let trigger = HMEventTrigger(
                name: "Evening Once",
                events: [HMCalendarEvent(fire: DateComponents(hour: 19, minute: 0))],
                end: nil,
                recurrences: nil,
                predicate: nil
            )
            try await Self.add(trigger, to: villa, running: scene)
            try await trigger.updateExecuteOnce(true)
            try await home.advanceTime(by: .seconds(24 * 60 * 60))
            #expect(try await lamp[\.on] == true)
            try await home.until("the trigger is disabled") { !trigger.isEnabled }
            try await power.writeValue(false)
            try await home.advanceTime(by: .seconds(24 * 60 * 60))
            #expect(try await lamp[\.on] == false)
        }
    }

    @Test func anAccessoryThatIsRemovedTakesItsActionsAndEventsAndTheOtherAppHearsOfIt() async throws {
        try await withTestHome { home in
            _ = try await home.add(.lamp("Desk"))
            _ = try await home.add(.lamp("Shelf"))
            let app = home.app("A")
            let villa = try await app.home()
            let desk = try await app.characteristic(HMCharacteristicTypePowerState, of: "Desk")
            let shelf = try await app.characteristic(HMCharacteristicTypePowerState, of: "Shelf")
            let scene = try await Self.addScene("Evening", to: villa, desk, true)
            try await scene.addAction(
                HMCharacteristicWriteAction(characteristic: shelf, targetValue: NSNumber(value: true))
            )
            let accessory = try #require(villa.accessories.first { $0.name == "Shelf" })
            try await villa.removeAccessory(accessory)
            try await home.until("the action is gone", is: 1) { scene.actions.count }
        }
    }
}
