import Foundation
import HomeModel
import HubAPI

extension HMHome {
    /// The service groups, in the order in which they were added.
    /// - Since: iOS 8.0
    public var serviceGroups: [HMServiceGroup] {
        homeReference.context.serviceGroups(of: homeReference) { $0.serviceGroups.map(\.id) }
    }

    /// Adds an empty service group.
    ///
    /// Errors: ``HMError/Code/objectWithSimilarNameExistsInHome`` and the errors for invalid names;
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func addServiceGroup(
        withName serviceGroupName: String,
        completionHandler completion: @escaping @Sendable (HMServiceGroup?, (any Error)?) -> Void
    ) {
        let homeReference = homeReference
        let parameters = InHome(homeReference.home, AddServiceGroup(name: serviceGroupName))
        homeReference.context.add(HubMethods.addServiceGroup, parameters, completion) { context, id in
            context.serviceGroups(of: homeReference) { $0.serviceGroups.contains(id: id) ? [id] : [] }.first
        }
    }

    /// Adds a service group; see the completion-handler form.
    /// - Since: iOS 8.0
    public func addServiceGroup(named serviceGroupName: String) async throws -> HMServiceGroup {
        try await completing { addServiceGroup(withName: serviceGroupName, completionHandler: $0) }
    }

    /// Removes a service group. Its services aren't affected.
    ///
    /// Errors: ``HMError/Code/objectAssociatedToAnotherHome``, ``HMError/Code/objectNotAssociatedToAnyHome`` if it is
    /// already gone; ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func removeServiceGroup(
        _ group: HMServiceGroup,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        homeReference.context.call(
            HubMethods.removeServiceGroup,
            try homeReference.target(group.uniqueIdentifier, group.homeReference),
            completion: completion
        )
    }

    /// Removes a service group; see the completion-handler form.
    /// - Since: iOS 8.0
    public func removeServiceGroup(_ group: HMServiceGroup) async throws {
        try await completing { removeServiceGroup(group, completionHandler: $0) }
    }
}
