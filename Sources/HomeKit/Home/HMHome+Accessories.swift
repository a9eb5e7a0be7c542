import HomeModel
import Foundation
import HAPCatalog
import HubAPI

extension HMHome {
    /// The accessories, including bridges and bridged accessories, in the order in which they were added.
    /// - Since: iOS 8.0
    public var accessories: [HMAccessory] {
        homeReference.context.accessories(of: homeReference) { $0.accessories.map(\.id) }
    }

    /// Returns the services of the given types, such as ``HMServiceTypeLightbulb``, of all accessories. Returns `nil`,
    /// not an empty array, if there are none.
    /// - Since: iOS 8.0
    public func servicesWithTypes(_ serviceTypes: [String]) -> [HMService]? {
        let types = Set(serviceTypes.compactMap { HAPType($0)?.longForm })
        let services = accessories.flatMap(\.services).filter { types.contains($0.serviceType) }
        return services.isEmpty ? nil : services
    }

    /// Pairs an accessory that an ``HMAccessoryBrowser`` found and adds it to the default room, with its bridged
    /// accessories if it is a bridge.
    ///
    /// The hub asks the user for the setup code. The accessory's object stays the same.
    ///
    /// Errors: ``HMError/Code/accessoryPairingFailed`` with the reason (a wrong code, a pairing with another
    /// controller), ``HMError/Code/accessoryDiscoveryFailed`` if the accessory is gone,
    /// ``HMError/Code/operationCancelled`` if no code is entered, ``HMError/Code/objectAlreadyAssociatedToHome``,
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func addAccessory(
        _ accessory: HMAccessory,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let context = homeReference.context
        let id = accessory.uniqueIdentifier
        context.call(HubMethods.addAccessory, try addition(of: accessory)) {
            (reply: Result<AddedAccessories, HMError>) in
            if reply.failure?.code != .operationInProgress { context.withObjects { $0.joining[id] = nil } }
            completion(reply.failure)
        }
    }

    /// Pairs and adds an accessory; see the completion-handler form.
    /// - Since: iOS 8.0
    public func addAccessory(_ accessory: HMAccessory) async throws {
        try await completing { addAccessory(accessory, completionHandler: $0) }
    }

    /// Removes an accessory, or a bridge with its bridged accessories, and unpairs it, now or when it is next
    /// reachable.
    ///
    /// Errors: ``HMError/Code/cannotRemoveNonBridgeAccessory`` for a bridged accessory;
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func removeAccessory(
        _ accessory: HMAccessory,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        homeReference.context.call(
            HubMethods.removeAccessory,
            try homeReference.target(accessory.uniqueIdentifier, accessory.homeReference),
            completion: completion
        )
    }

    /// Removes an accessory; see the completion-handler form.
    /// - Since: iOS 8.0
    public func removeAccessory(_ accessory: HMAccessory) async throws {
        try await completing { removeAccessory(accessory, completionHandler: $0) }
    }

    /// Unblocks an accessory and all accessories behind the same bridge. Has no effect on an accessory that isn't
    /// blocked.
    ///
    /// The completion handler doesn't wait until the accessory is reachable.
    ///
    /// Errors: ``HMError/Code/insufficientPrivileges`` for guests; ``HMError/Code/objectAssociatedToAnotherHome``.
    /// - Since: iOS 8.0
    @preconcurrency
    public func unblockAccessory(
        _ accessory: HMAccessory,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        homeReference.context.call(
            HubMethods.unblockAccessory,
            try homeReference.target(accessory.uniqueIdentifier, accessory.homeReference),
            completion: completion
        )
    }

    /// Unblocks an accessory; see the completion-handler form.
    /// - Since: iOS 8.0
    public func unblockAccessory(_ accessory: HMAccessory) async throws {
        try await completing { unblockAccessory(accessory, completionHandler: $0) }
    }

    /// Moves an accessory to a room of the home. Moving a bridge doesn't move its bridged accessories.
    ///
    /// Errors: ``HMError/Code/objectAssociatedToAnotherHome``; ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func assignAccessory(
        _ accessory: HMAccessory,
        to room: HMRoom,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        homeReference.context.call(HubMethods.moveAccessory, try move(of: accessory, to: room), completion: completion)
    }

    /// Moves an accessory to a room; see the completion-handler form.
    /// - Since: iOS 8.0
    public func assignAccessory(_ accessory: HMAccessory, to room: HMRoom) async throws {
        try await completing { assignAccessory(accessory, to: room, completionHandler: $0) }
    }

    private func addition(of accessory: HMAccessory) throws(HMError) -> AddAccessory {
        if let other = accessory.homeReference {
            guard !other.isGone else { throw HMError(.accessoryDiscoveryFailed) }
            throw HMError(
                other.home == homeReference.home ? .objectAlreadyAssociatedToHome : .objectAssociatedToAnotherHome
            )
        }
        let id = accessory.uniqueIdentifier
        let isNew = homeReference.context.withObjects { $0.joining.updateValue(accessory, forKey: id) == nil }
        guard isNew else { throw HMError(.operationInProgress) }
        return AddAccessory(home: homeReference.home, discovered: id)
    }

    private func move(of accessory: HMAccessory, to room: HMRoom) throws(HMError) -> InHome<MoveAccessory> {
        try homeReference.check(accessory.homeReference)
        try homeReference.check(room.homeReference)
        return InHome(homeReference.home, MoveAccessory(accessory.uniqueIdentifier, room: room.uniqueIdentifier))
    }
}
