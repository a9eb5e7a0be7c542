import HomeKit
import Testing

// Code as in tools that export scenes and automations and keep devices in a state: completion handlers, casts, dictionaries.

class AutomationTool: NSObject, HMHomeDelegate {
    var log: [String] = []

    func export(_ home: HMHome) -> [[String: Any]] {
        let formatter = ISO8601DateFormatter()
        return home.triggers.map { trigger in
            var description: [String: Any] = [
                "id": trigger.uniqueIdentifier.uuidString, "name": trigger.name, "enabled": trigger.isEnabled,
                "scenes": trigger.actionSets.map { $0.name },
            ]
            if let timer = trigger as? HMTimerTrigger {
                description["date"] = formatter.string(from: timer.fireDate)
                description["hours"] = timer.recurrence?.hour as Any
            } else if let event = trigger as? HMEventTrigger {
                description["events"] = event.events.map { self.describe($0) }
                description["once"] = event.executeOnce
                description["state"] = event.triggerActivationState.rawValue
                if let compound = event.predicate as? NSCompoundPredicate {
                    description["conditions"] = compound.subpredicates.count
                }
            }
            return description
        }
    }

    func describe(_ event: HMEvent) -> String {
        if let change = event as? HMCharacteristicEvent<NSCopying> {
            return "\(change.characteristic.localizedDescription) \(change.triggerValue as? Int ?? -1)"
        }
        if let location = event as? HMLocationEvent, let region = location.region as? CLCircularRegion {
            return "\(region.center.latitude), \(region.radius) m, \(region.notifyOnEntry)"
        }
        if let sun = event as? HMSignificantTimeEvent { return sun.significantEvent.rawValue }
        if let presence = event as? HMPresenceEvent, presence.presenceUserType == .homeUsers { return "presence" }
        return String(describing: type(of: event))
    }

    /// Turns a characteristic back whenever somebody changes it.
    func guardValue(
        of characteristic: HMCharacteristic,
        _ value: NSNumber,
        in home: HMHome,
        done: @escaping (Bool) -> Void
    ) {
        home.addActionSet(withName: "Reset") { set, error in
            guard let set = set else { return done(false) }
            let action = HMCharacteristicWriteAction(characteristic: characteristic, targetValue: value as NSCopying)
            set.addAction(action) { error in
                if let error = error as NSError?, error.domain == HMErrorDomain, error.code != 1 { return done(false) }
                let event = HMCharacteristicEvent(
                    characteristic: characteristic,
                    triggerValue: NSNumber(value: !value.boolValue)
                )
                let trigger = HMEventTrigger(name: "Reset", events: [event], predicate: nil)
                home.addTrigger(trigger) { error in
                    guard error == nil else { return done(false) }
                    trigger.addActionSet(set) { _ in
                        trigger.enable(true) { error in
                            DispatchQueue.main.async { done(error == nil) }
                        }
                    }
                }
            }
        }
    }

    func home(_ home: HMHome, didRemove actionSet: HMActionSet) { log.append("removed \(actionSet.name)") }
    func home(_ home: HMHome, didUpdateNameFor trigger: HMTrigger) { log.append("renamed \(trigger.name)") }
    func home(_ home: HMHome, didAdd trigger: HMTrigger) { home.delegate?.home?(home, didUpdate: trigger) }
}

struct AutomationCodeTests {
    @Test func eventsAreDescribed() {
        let tool = AutomationTool()
        let center = CLLocationCoordinate2D(latitude: 52.5, longitude: 13)
        let region = CLCircularRegion(center: center, radius: 100, identifier: "Home")
        #expect(tool.describe(HMLocationEvent(region: region)) == "52.5, 100.0 m, true")
        #expect(tool.describe(HMSignificantTimeEvent(significantEvent: .sunset, offset: nil)) == "sunset")
        #expect(tool.describe(HMDurationEvent(duration: 60)) == "HMDurationEvent")
        let presence = HMPresenceEvent(presenceEventType: .lastExit, presenceUserType: .homeUsers)
        #expect(tool.describe(presence) == "presence")
    }
}
