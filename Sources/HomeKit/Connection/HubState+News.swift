import HAPCatalog
import HomeModel
import HubAPI

extension HubState {
    /// Returns an event without the values that are already known.
    ///
    /// A client that reconnects has missed only a few of the values that it receives. An accessory that returns after a
    /// restart of the hub sends all of its values. Each press of a button is news when it happens, but not afterwards.
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

    /// Returns whether a value differs from the known value.
    func isNews(_ update: ValueUpdate) -> Bool {
        values[update.characteristic, in: update.home] != update.value
    }

    /// Returns whether an update is for a characteristic that reports momentary events, such as presses of a button.
    func isMomentary(_ update: ValueUpdate) -> Bool {
        guard let home = homes[update.home],
            let accessory = home.accessories[id: update.characteristic.accessory]
        else { return false }
        return home.services(of: accessory).contains { service in
            service.characteristics.contains { $0.iid == update.characteristic.iid && $0.type.isMomentary }
        }
    }
}
