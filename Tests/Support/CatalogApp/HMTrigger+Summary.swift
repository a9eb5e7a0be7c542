import HomeKit

// What a list shows of triggers, events and conditions.

extension HMTrigger {
    var localizedSummary: String {
        switch self {
        case let timer as HMTimerTrigger:
            switch TimerTriggerCreator.Recurrence(timer.recurrence) {
            case .none: return "once"
            case .everyHour: return "every hour"
            case .everyDay: return "every day"
            case .everyWeek: return "every week"
            }
        case let trigger as HMEventTrigger:
            let events = trigger.events.map { $0.localizedSummary }.joined(separator: " or ")
            let conditions = trigger.predicate?.homeKitConditionCount ?? 0
            return conditions == 0 ? events : "\(events), \(conditions) conditions"
        default:
            return "unknown"
        }
    }
}

extension HMEvent {
    var localizedSummary: String {
        switch self {
        case let event as HMCharacteristicEvent<NSCopying>:
            let accessory = event.characteristic.service?.accessory?.name ?? "?"
            guard let value = event.triggerValue as? NSNumber else { return "\(accessory) changes" }
            return "\(accessory) \(event.characteristic.localizedDescription) \(value)"
        case let event as HMCharacteristicThresholdRangeEvent:
            return "\(event.characteristic.localizedDescription) above \(event.thresholdRange.minValue ?? 0)"
        case let event as HMLocationEvent:
            return event.region?.notifyOnEntry == true ? "arriving" : "leaving"
        case let event as HMSignificantTimeEvent:
            return event.significantEvent == .sunrise ? "sunrise" : "sunset"
        case let event as HMCalendarEvent:
            return "\(event.fireDateComponents.hour ?? 0) o'clock"
        case let event as HMPresenceEvent:
            return event.presenceEventType == .lastExit ? "nobody home" : "somebody home"
        default:
            return "something"
        }
    }
}

extension NSPredicate {
    /// The number of conditions that a predicate combines.
    var homeKitConditionCount: Int {
        guard let compound = self as? NSCompoundPredicate else { return 1 }
        return compound.subpredicates.compactMap { $0 as NSPredicate }.map { $0.homeKitConditionCount }.reduce(0, +)
    }
}
