import HomeKit

// The examples on the page “Automating a Home”.

func addReading(to home: HMHome, power: HMCharacteristic, level: HMCharacteristic) async throws -> HMActionSet {
    let scene = try await home.addActionSet(named: "Reading")
    for (characteristic, value) in [(power, NSNumber(value: true)), (level, NSNumber(value: 60))] {
        let action = HMCharacteristicWriteAction<NSCopying>(characteristic: characteristic, targetValue: value)
        try await scene.addAction(action)
    }
    return scene
}

func addEvening(to home: HMHome, running scene: HMActionSet) async throws {
    let sunset = HMSignificantTimeEvent(significantEvent: .sunset, offset: DateComponents(minute: -20))
    let present = HMPresenceEvent(presenceEventType: .atHome, presenceUserType: .homeUsers)
    let trigger = HMEventTrigger(
        name: "Evening",
        events: [sunset],
        end: [HMDurationEvent(duration: 4 * 60 * 60)],
        recurrences: nil,
        predicate: HMEventTrigger.predicateForEvaluatingTrigger(withPresence: present)
    )
    try await trigger.addActionSet(scene)
    try await home.addTrigger(trigger)
    try await trigger.enable(true)
}
