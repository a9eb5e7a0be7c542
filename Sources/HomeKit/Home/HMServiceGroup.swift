public import Foundation
import HomeModel
import HubAPI

/// A named group of services of any accessories, such as “Desk Lamps”. A service can be in several groups.
///
/// Get service groups from an ``HMHome``. Completion handlers are called on the main queue. When one is called, the
/// group already reflects the change. Properties can be read from any thread.
/// - Since: iOS 8.0
public final class HMServiceGroup: NSObject, Sendable {
    let homeReference: HomeReference

    init(_ id: UUID, _ homeReference: HomeReference) {
        uniqueIdentifier = id
        self.homeReference = homeReference
    }

    /// The group's identity. It never changes.
    /// - Since: iOS 9.0
    public let uniqueIdentifier: UUID

    /// The group's name.
    /// - Since: iOS 8.0
    public var name: String {
        homeReference.read { $0.serviceGroups[id: uniqueIdentifier]?.name } ?? ""
    }

    /// The services, in the order in which they were added. A service that its accessory currently lacks, for example
    /// after an update, is omitted until it is back.
    /// - Since: iOS 8.0
    public var services: [HMService] {
        homeReference.context.services(of: homeReference) { $0.serviceGroups[id: uniqueIdentifier]?.services ?? [] }
    }

    /// Renames the group.
    ///
    /// Errors: ``HMError/Code/objectWithSimilarNameExistsInHome`` and the errors for invalid names,
    /// ``HMError/Code/objectNotAssociatedToAnyHome`` if the group is gone, ``HMError/Code/insufficientPrivileges`` for
    /// guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func updateName(
        _ name: String,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        homeReference.context.call(
            HubMethods.renameServiceGroup,
            try homeReference.rename(uniqueIdentifier, to: name),
            completion: completion
        )
    }

    /// Renames the group; see the completion-handler form.
    /// - Since: iOS 8.0
    public func updateName(_ name: String) async throws {
        try await completing { updateName(name, completionHandler: $0) }
    }

    /// Adds a service of the home to the group.
    ///
    /// Errors: ``HMError/Code/alreadyExists`` if it is already in the group,
    /// ``HMError/Code/objectAssociatedToAnotherHome``, ``HMError/Code/objectNotAssociatedToAnyHome`` if the service or
    /// the group is gone, ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func addService(
        _ service: HMService,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        homeReference.context.call(
            HubMethods.addServiceToGroup,
            try request(AddServiceToGroup.init, service),
            completion: completion
        )
    }

    /// Adds a service to the group; see the completion-handler form.
    /// - Since: iOS 8.0
    public func addService(_ service: HMService) async throws {
        try await completing { addService(service, completionHandler: $0) }
    }

    /// Removes a service from the group.
    ///
    /// Errors: ``HMError/Code/notFound`` if it isn't in the group, ``HMError/Code/objectAssociatedToAnotherHome``,
    /// ``HMError/Code/objectNotAssociatedToAnyHome`` if the service or the group is gone,
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func removeService(
        _ service: HMService,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        homeReference.context.call(
            HubMethods.removeServiceFromGroup,
            try request(RemoveServiceFromGroup.init, service),
            completion: completion
        )
    }

    /// Removes a service from the group; see the completion-handler form.
    /// - Since: iOS 8.0
    public func removeService(_ service: HMService) async throws {
        try await completing { removeService(service, completionHandler: $0) }
    }

    private func request<Request>(
        _ make: (ServiceIdentity, UUID) -> Request,
        _ service: HMService
    ) throws(HMError) -> InHome<Request> {
        try homeReference.check()
        try homeReference.check(service.homeReference)
        return InHome(homeReference.home, make(service.reference, uniqueIdentifier))
    }
}
