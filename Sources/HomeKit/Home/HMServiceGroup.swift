public import Foundation
import HomeModel
import HubAPI

/// A service group: services of any accessories under one name, such as “Desk Lamps”. A service may be in several.
///
/// Service groups come from an ``HMHome``. Completions are called on the main queue, when the group shows what was done.
/// Properties may be read on any thread.
/// - Since: iOS 8.0
public final class HMServiceGroup: NSObject, Sendable {
    let view: HomeReference

    init(_ id: UUID, _ view: HomeReference) {
        uniqueIdentifier = id
        self.view = view
    }

    /// The group's identity. It never changes.
    /// - Since: iOS 9.0
    public let uniqueIdentifier: UUID

    /// The group's name.
    /// - Since: iOS 8.0
    public var name: String {
        view.read { $0.serviceGroups[id: uniqueIdentifier]?.name } ?? ""
    }

    /// The services in the order in which they were added. One that its accessory lacks for the time being, after an
    /// update for example, is left out until it is back.
    /// - Since: iOS 8.0
    public var services: [HMService] {
        view.context.services(of: view) { $0.serviceGroups[id: uniqueIdentifier]?.services ?? [] }
    }

    /// Renames the group.
    ///
    /// Errors: ``HMError/Code/objectWithSimilarNameExistsInHome`` and those of ill-formed names,
    /// ``HMError/Code/objectNotAssociatedToAnyHome`` when the group is gone, ``HMError/Code/insufficientPrivileges`` for
    /// guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func updateName(
        _ name: String,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        view.context.call(
            HubMethods.renameServiceGroup,
            try view.rename(uniqueIdentifier, to: name),
            completion: completion
        )
    }

    /// Renames the group; see the form with a completion.
    /// - Since: iOS 8.0
    public func updateName(_ name: String) async throws {
        try await completing { updateName(name, completionHandler: $0) }
    }

    /// Puts a service of the home into the group.
    ///
    /// Errors: ``HMError/Code/alreadyExists`` when it is in the group already,
    /// ``HMError/Code/objectAssociatedToAnotherHome``, ``HMError/Code/objectNotAssociatedToAnyHome`` when the service or
    /// the group is gone, ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func addService(
        _ service: HMService,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        view.context.call(HubMethods.addServiceToGroup, try membership(of: service), completion: completion)
    }

    /// Puts a service into the group; see the form with a completion.
    /// - Since: iOS 8.0
    public func addService(_ service: HMService) async throws {
        try await completing { addService(service, completionHandler: $0) }
    }

    /// Takes a service out of the group.
    ///
    /// Errors: ``HMError/Code/notFound`` when it is not in the group, ``HMError/Code/objectAssociatedToAnotherHome``,
    /// ``HMError/Code/objectNotAssociatedToAnyHome`` when the service or the group is gone,
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func removeService(
        _ service: HMService,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        view.context.call(HubMethods.removeServiceFromGroup, try membership(of: service), completion: completion)
    }

    /// Takes a service out of the group; see the form with a completion.
    /// - Since: iOS 8.0
    public func removeService(_ service: HMService) async throws {
        try await completing { removeService(service, completionHandler: $0) }
    }

    private func membership(of service: HMService) throws(HMError) -> ServiceGroupMembership {
        try view.check()
        try view.check(service.view)
        return ServiceGroupMembership(home: view.home, group: uniqueIdentifier, service: service.reference)
    }
}
