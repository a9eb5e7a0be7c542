import Foundation
import HAPCatalog
import HomeModel

extension HMEvent {
    /// Creates the object for an event of a trigger. Returns `nil` if its characteristic is currently missing, or if it is
    /// of a newer version.
    static func object(for event: TriggerEvent, in home: HomeReference) -> HMEvent? {
        switch event.occurrence {
        case .characteristic(let identity, let value):
            return home.context.characteristic(identity, of: home).map {
                HMCharacteristicEvent<any NSCopying>(event.id, $0, value?.object)
            }
        case .threshold(let identity, let range):
            return home.context.characteristic(identity, of: home).map {
                HMCharacteristicThresholdRangeEvent(event.id, $0, HMNumberRange(range))
            }
        case .sun(let moment):
            let kind = HMSignificantEvent(rawValue: moment.event.rawValue)
            return HMSignificantTimeEvent(event.id, kind, moment.components)
        case .calendar(let moment): return HMCalendarEvent(event.id, moment.components)
        case .presence(let presence):
            return HMPresenceEvent(event.id, presence, viewer: home.read { $0.viewer })
        case .location(let region): return HMLocationEvent(event.id, region)
        case .hiddenLocation(let location): return HMLocationEvent(event.id, location)
        case .duration(let seconds): return HMDurationEvent(event.id, TimeInterval(seconds))
        case .unknown: return nil
        }
    }
}
