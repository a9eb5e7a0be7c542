import HomeModel
import Foundation
import HubAPI

extension HMHome {
    /// The zones, in the order in which they were added.
    /// - Since: iOS 8.0
    public var zones: [HMZone] {
        homeReference.context.zones(of: homeReference) { $0.zones.map(\.id) }
    }

    /// Adds a zone.
    ///
    /// Errors: ``HMError/Code/objectWithSimilarNameExistsInHome`` and the errors for invalid names;
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func addZone(
        withName zoneName: String,
        completionHandler completion: @escaping @Sendable (HMZone?, (any Error)?) -> Void
    ) {
        let homeReference = homeReference
        homeReference.context.add(HubMethods.addZone, InHome(homeReference.home, AddZone(name: zoneName)), completion) {
            context,
            id in
            context.zones(of: homeReference) { $0.zones.contains(id: id) ? [id] : [] }.first
        }
    }

    /// Adds a zone; see the completion-handler form.
    /// - Since: iOS 8.0
    public func addZone(named zoneName: String) async throws -> HMZone {
        try await completing { addZone(withName: zoneName, completionHandler: $0) }
    }

    /// Removes a zone. Its rooms aren't affected.
    ///
    /// Errors: ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func removeZone(_ zone: HMZone, completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        homeReference.context.call(
            HubMethods.removeZone,
            try homeReference.target(zone.uniqueIdentifier, zone.homeReference),
            completion: completion
        )
    }

    /// Removes a zone; see the completion-handler form.
    /// - Since: iOS 8.0
    public func removeZone(_ zone: HMZone) async throws {
        try await completing { removeZone(zone, completionHandler: $0) }
    }
}
