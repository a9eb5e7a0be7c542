package import Foundation
package import HomeModel

extension TriggerEngine {
    /// Handles a user's location.
    ///
    /// A user enters a region by being within its radius, and leaves it by being outside it by a margin of a tenth of the
    /// radius, at least 20 and at most 200 meters (``AutomationLimits/regionMargin``). A first location within a region
    /// enters it.
    ///
    /// - Parameters:
    ///   - user: The user's ID in the home.
    ///   - home: The home.
    ///   - old: The previous location; `nil` if there was none. It counts where the engine hasn't seen the user yet, as after
    ///     a restart.
    ///   - new: The location.
    ///   - source: The event's ID and what caused it.
    ///   - now: The time.
    ///   - known: What is known about the homes.
    /// - Returns: The decisions of the triggers that wait for this, in the order in which they were added.
    package mutating func located(
        _ user: UUID,
        in home: UUID,
        from old: Place?,
        to new: Place,
        source: EventSource,
        at now: Date,
        known: KnownState
    ) -> [TriggerDecision] {
        guard new.isValid, let references = locations[user] else { return [] }
        var crossed: [EventReference] = []
        for reference in references where reference.trigger.home == home {
            guard let event = triggers[reference.trigger]?.event(reference.role),
                case .location(let region) = event.occurrence
            else { continue }
            let wasInside =
                triggers[reference.trigger]?.entered[event.id]
                ?? old.map { region.contains($0, wasInside: false) } ?? false
            let isInside = region.contains(new, wasInside: wasInside)
            triggers[reference.trigger]?.entered[event.id] = isInside
            if isInside != wasInside, isInside ? region.onEntry : region.onExit { crossed.append(reference) }
        }
        return decide(crossed, source: source, at: now, known: known)
    }
}

extension LocationRegion {
    /// Returns whether a place is in the region, for a user who was or wasn't in it before.
    fileprivate func contains(_ place: Place, wasInside: Bool) -> Bool {
        let limits = AutomationLimits.regionMargin
        let margin = min(max(radius / 10, limits.lowerBound), limits.upperBound)
        let distance = place.distance(to: Place(latitude: latitude, longitude: longitude))
        return distance <= (wasInside ? radius + margin : radius)
    }
}
