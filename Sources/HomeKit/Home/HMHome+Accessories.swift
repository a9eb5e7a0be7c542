import HomeModel
import Foundation
import HAPCatalog
import HubAPI

extension HMHome {
    /// The accessories in the order in which they were added, bridges and what is behind them included.
    /// - Since: iOS 8.0
    public var accessories: [HMAccessory] {
        view.context.accessories(of: view) { $0.accessories.map(\.id) }
    }

    /// The services of certain types (``HMServiceTypeLightbulb``) of all accessories; nil, not an empty array, when there
    /// are none.
    /// - Since: iOS 8.0
    public func servicesWithTypes(_ serviceTypes: [String]) -> [HMService]? {
        let types = Set(serviceTypes.compactMap { HAPType($0)?.longForm })
        let services = accessories.flatMap(\.services).filter { types.contains($0.serviceType) }
        return services.isEmpty ? nil : services
    }

    /// Pairs an accessory that an ``HMAccessoryBrowser`` found and adds it, and whatever is behind it if it is a bridge, to
    /// the default room. The set-up code is asked for by the hub. The accessory's object stays the same.
    ///
    /// Errors: ``HMError/Code/accessoryPairingFailed`` with the reason (a wrong code, a pairing with somebody else),
    /// ``HMError/Code/accessoryDiscoveryFailed`` when it is gone, ``HMError/Code/operationCancelled`` when nobody gives
    /// the code, ``HMError/Code/objectAlreadyAssociatedToHome``, ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func addAccessory(
        _ accessory: HMAccessory,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let context = view.context
        let id = accessory.uniqueIdentifier
        context.call(HubMethods.addAccessory, try addition(of: accessory)) {
            (reply: Result<AddedAccessories, HMError>) in
            if reply.failure?.code != .operationInProgress { context.withObjects { $0.joining[id] = nil } }
            completion(reply.failure)
        }
    }

    /// Pairs and adds an accessory; see the form with a completion.
    /// - Since: iOS 8.0
    public func addAccessory(_ accessory: HMAccessory) async throws {
        try await completing { addAccessory(accessory, completionHandler: $0) }
    }

    /// Removes an accessory, or a bridge with all behind it, and unpairs it: now, or when it can be reached again.
    ///
    /// Errors: ``HMError/Code/cannotRemoveNonBridgeAccessory`` for one behind a bridge;
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func removeAccessory(
        _ accessory: HMAccessory,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        view.context.call(
            HubMethods.removeAccessory,
            try view.target(accessory.uniqueIdentifier, accessory.view),
            completion: completion
        )
    }

    /// Removes an accessory; see the form with a completion.
    /// - Since: iOS 8.0
    public func removeAccessory(_ accessory: HMAccessory) async throws {
        try await completing { removeAccessory(accessory, completionHandler: $0) }
    }

    /// Lets the home use an accessory again that was blocked, with all that is behind the same bridge. One that is not
    /// blocked stays as it is.
    ///
    /// The completion does not wait until the accessory can be reached.
    ///
    /// Errors: ``HMError/Code/insufficientPrivileges`` for guests; ``HMError/Code/objectAssociatedToAnotherHome``.
    /// - Since: iOS 8.0
    @preconcurrency
    public func unblockAccessory(
        _ accessory: HMAccessory,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        view.context.call(
            HubMethods.unblockAccessory,
            try view.target(accessory.uniqueIdentifier, accessory.view),
            completion: completion
        )
    }

    /// Lets the home use an accessory again; see the form with a completion.
    /// - Since: iOS 8.0
    public func unblockAccessory(_ accessory: HMAccessory) async throws {
        try await completing { unblockAccessory(accessory, completionHandler: $0) }
    }

    /// Moves an accessory to a room of the home. What is behind a bridge does not move with it.
    ///
    /// Errors: ``HMError/Code/objectAssociatedToAnotherHome``; ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func assignAccessory(
        _ accessory: HMAccessory,
        to room: HMRoom,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        view.context.call(HubMethods.moveAccessory, try move(of: accessory, to: room), completion: completion)
    }

    /// Moves an accessory to a room; see the form with a completion.
    /// - Since: iOS 8.0
    public func assignAccessory(_ accessory: HMAccessory, to room: HMRoom) async throws {
        try await completing { assignAccessory(accessory, to: room, completionHandler: $0) }
    }

    private func addition(of accessory: HMAccessory) throws(HMError) -> AddAccessory {
        if let other = accessory.view {
            guard !other.isGone else { throw HMError(.accessoryDiscoveryFailed) }
            throw HMError(other.home == view.home ? .objectAlreadyAssociatedToHome : .objectAssociatedToAnotherHome)
        }
        let id = accessory.uniqueIdentifier
        let isNew = view.context.withObjects { $0.joining.updateValue(accessory, forKey: id) == nil }
        guard isNew else { throw HMError(.operationInProgress) }
        return AddAccessory(home: view.home, discovered: id)
    }

    private func move(of accessory: HMAccessory, to room: HMRoom) throws(HMError) -> MoveAccessory {
        try view.check(accessory.view)
        try view.check(room.view)
        return MoveAccessory(home: view.home, id: accessory.uniqueIdentifier, room: room.uniqueIdentifier)
    }
}
