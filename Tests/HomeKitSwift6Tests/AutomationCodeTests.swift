import HomeKit
import Testing

// Code as in current apps that edit scenes and automations. It must compile unchanged, and with only `import HomeKit`.

@MainActor
final class AutomationModel: NSObject {
    private(set) var scenes: [HMActionSet] = []
    private(set) var automations: [HMTrigger] = []
    private(set) var failed: [HMAccessory] = []

    func show(_ home: HMHome) {
        home.delegate = self
        scenes = home.actionSets.sorted { $0.name < $1.name }
        automations = home.triggers
    }

    func run(_ scene: HMActionSet, in home: HMHome) async {
        guard !scene.isExecuting else { return }
        do {
            try await home.executeActionSet(scene)
        } catch HMError.actionSetExecutionPartialSuccess {
            failed = []
        } catch let error as HMError {
            failed = error.userInfo[HMUserFailedAccessoriesKey] as? [HMAccessory] ?? []
        } catch {
            print((error as NSError).domain)
        }
    }

    func addScene(_ name: String, _ values: [HMCharacteristic: Any], to home: HMHome) async throws -> HMActionSet {
        let scene = try await home.addActionSet(named: name)
        for (characteristic, value) in values {
            let target: NSCopying = (value as? NSNumber) ?? NSString(string: "\(value)")
            try await scene.addAction(HMCharacteristicWriteAction(characteristic: characteristic, targetValue: target))
        }
        for action in scene.actions {
            guard let write = action as? HMCharacteristicWriteAction<NSCopying> else { continue }
            if write.targetValue as? Int == 0 { try await scene.removeAction(action) }
        }
        return scene
    }

    func addAutomation(_ home: HMHome, _ scene: HMActionSet, _ motion: HMCharacteristic) async throws {
        let event = HMCharacteristicEvent<NSCopying>(characteristic: motion, triggerValue: true as NSCopying)
        let night = HMEventTrigger.predicateForEvaluatingTriggerOccurring(
            afterSignificantEvent: HMSignificantTimeEvent(significantEvent: .sunset, offset: nil)
        )
        let dark = HMEventTrigger.predicateForEvaluatingTrigger(motion, relatedBy: .equalTo, toValue: true)
        let trigger = HMEventTrigger(
            name: "Motion",
            events: [event],
            end: [HMDurationEvent(duration: 600)],
            recurrences: (2...6).map { DateComponents(weekday: $0) },
            predicate: NSCompoundPredicate(andPredicateWithSubpredicates: [night, dark])
        )
        do {
            try await home.addTrigger(trigger)
            try await trigger.addActionSet(scene)
            try await trigger.enable(true)
        } catch {
            try? await home.removeTrigger(trigger)
            try? await home.removeActionSet(scene)
            throw error
        }
        if trigger.triggerActivationState != .enabled { try await trigger.updateExecuteOnce(true) }
        try await trigger.updateEvents(trigger.events + [HMCalendarEvent(fire: DateComponents(hour: 7))])
        try await trigger.updateEndEvents([])
        try await trigger.updateRecurrences(nil)
        try await trigger.updatePredicate(nil)
        try await trigger.updateName("Movement")
        try await trigger.removeActionSet(scene)
        let timer = HMTimerTrigger(name: "Noon", fireDate: .now, recurrence: DateComponents(day: 1))
        try await home.addTrigger(timer)
        try await timer.updateFireDate(timer.fireDate.addingTimeInterval(60))
        try await timer.updateRecurrence(nil)
        try await scene.updateName("Night")
        _ = try #require(home.builtinActionSet(ofType: HMActionSetTypeSleep))
    }
}

extension AutomationModel: @MainActor HMHomeDelegate {
    func home(_ home: HMHome, didAdd actionSet: HMActionSet) { show(home) }
    func home(_ home: HMHome, didUpdateActionsFor actionSet: HMActionSet) { show(home) }
    func home(_ home: HMHome, didUpdate trigger: HMTrigger) { automations = home.triggers }
}

struct AutomationCodeTests {
    /// A trigger is used before it is in a home.
    @Test func aTriggerIsFilledBeforeItIsInAHome() async throws {
        let mutable = HMMutableSignificantTimeEvent(significantEvent: .sunrise, offset: nil)
        mutable.offset.minute = -10
        let trigger = HMEventTrigger(name: "Dawn", events: [mutable], predicate: nil)
        try await trigger.updateRecurrences([DateComponents(weekday: 1)])
        #expect(trigger.recurrences?.map(\.weekday) == [1])
        #expect((trigger.events.first as? HMSignificantTimeEvent)?.offset?.minute == -10)
        #expect(!trigger.isEnabled)
    }
}
