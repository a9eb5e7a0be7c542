package import Foundation
import HAPCatalog
package import HomeModel

extension HubState {
    /// Returns whether an action set is on: all its accessories have the values that it sets.
    ///
    /// A characteristic that can't be read doesn't count, and neither does an action of a newer version. A number that
    /// an accessory keeps in coarser steps counts as the value that was set.
    ///
    /// - Returns: `nil` if a value isn't known, if an accessory isn't there, or if there is nothing to compare.
    package func isOn(_ actionSet: ActionSetRecord, in home: UUID) -> Bool? {
        guard let record = homes[home] else { return nil }
        var isKnown = true
        var compared = 0
        for action in actionSet.actions {
            guard case .write(let identity, let value) = action.operation else { continue }
            guard let found = record.characteristic(identity) else {
                isKnown = false
                continue
            }
            guard found.shape.permissions.contains(.read) else { continue }
            let reference = CharacteristicReference(accessory: found.accessory.id, iid: found.shape.iid)
            guard let current = values[reference, in: home] else {
                isKnown = false
                continue
            }
            compared += 1
            guard Self.holds(current, value, found.shape) else { return false }
        }
        return isKnown && compared > 0 ? true : nil
    }

    /// Returns whether a value is the one that was set, or the nearest that the accessory can have.
    private static func holds(
        _ current: CharacteristicValue,
        _ wanted: CharacteristicValue,
        _ shape: CharacteristicShape
    ) -> Bool {
        let format = shape.metadata.format
        let (left, right) = (current.converted(to: format) ?? current, wanted.converted(to: format) ?? wanted)
        if left == right { return true }
        guard format == .float, let left = left.number, let right = right.number else { return false }
        let step = shape.metadata.stepValue?.number ?? 0
        return abs(left - right) <= max(step, 0) / 2
    }
}
