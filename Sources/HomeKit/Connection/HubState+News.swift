import HAPCatalog
import HomeModel
import HubAPI

extension HubState {
    /// Returns an event without what is known already.
    ///
    /// A client that was away missed little of all that there is, and an accessory that comes back to a hub that restarted
    /// brings all of its values. A press of a button is news each time, but not after the fact.
    func news(in event: HubEvent) -> HubEvent {
        switch event {
        case .resumed(var present):
            present.values.subtract(values)
            let pressed = present.values.updates.filter(isMomentary)
            for press in pressed { present.values[press.characteristic, in: press.home] = nil }
            return .resumed(present)
        case .values(let updates):
            return .values(updates.filter { isNews($0) || isMomentary($0) })
        default:
            return event
        }
    }

    /// Returns whether a value is another one than the known one.
    func isNews(_ update: ValueUpdate) -> Bool {
        values[update.characteristic, in: update.home] != update.value
    }

    /// Returns whether an update is of a characteristic that reports moments, such as presses of a button.
    func isMomentary(_ update: ValueUpdate) -> Bool {
        guard let home = homes[update.home],
            let accessory = home.accessories[id: update.characteristic.accessory]
        else { return false }
        return home.services(of: accessory).contains { service in
            service.characteristics.contains { $0.iid == update.characteristic.iid && $0.type.isMomentary }
        }
    }
}
