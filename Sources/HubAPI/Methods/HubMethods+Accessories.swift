package import HomeModel
package import LocalRPC

/// The methods for accessories, their services and service groups.
extension HubMethods {
    // MARK: Accessories

    /// Starts sending this connection a ``HubEvent/discovered(_:)`` for each accessory that isn't in a home.
    package static let startBrowsing = Method<Empty, Empty>(
        "accessory.startBrowsing",
        for: .apps,
        by: .editor,
        from: .near
    )
    /// Stops sending these events.
    package static let stopBrowsing = Method<Empty, Empty>(
        "accessory.stopBrowsing",
        for: .apps,
        by: .oneself,
        from: .away
    )
    /// Pairs an accessory or a bridge, and adds it with all its bridged accessories. An accessory of the home that was
    /// reset is paired again and keeps its ID, names and rooms.
    package static let addAccessory = Method<AddAccessory, AddedAccessories>(
        "accessory.add",
        for: .apps,
        by: .editor,
        from: .near,
        isDurable: true
    )
    /// Guides a user through adding an accessory or a bridge. The hub asks for the home, the accessory, its setup code,
    /// name and room, except for what the parameters already specify. If a question is declined or not answered,
    /// nothing is added.
    package static let setUpAccessories = Method<SetUpAccessories, SetUpResult>(
        "accessory.setUp",
        for: .apps,
        by: .editor,
        from: .near,
        isDurable: true
    )
    /// Imports an accessory or a bridge that another controller has paired, with all its bridged accessories. The hub
    /// adds the home's key over that controller's pairing, then adds the accessory as ``addAccessory`` does. The accessory
    /// doesn't need a reset. The other controller stays paired unless the parameters say to remove it.
    package static let importAccessory = Method<ImportAccessory, ImportedAccessory>(
        "accessory.import",
        for: .people,
        by: .editor,
        from: .near
    )
    /// Removes an accessory, or a bridge with all its bridged accessories, and unpairs it.
    package static let removeAccessory = Method<InHome<RemoveAccessory>, Empty>(
        "accessory.remove",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Renames an accessory in the home. The device itself isn't renamed.
    package static let renameAccessory = Method<InHome<RenameAccessory>, Empty>(
        "accessory.rename",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Moves an accessory to a room.
    package static let moveAccessory = Method<InHome<MoveAccessory>, Empty>(
        "accessory.move",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Blocks an accessory, or a bridge with all its bridged accessories. The hub disconnects and doesn't reconnect.
    package static let blockAccessory = Method<InHome<BlockAccessory>, Empty>(
        "accessory.block",
        for: .people,
        by: .editor,
        from: .near,
        on: .leader,
        isDurable: true
    )
    /// Unblocks an accessory and all others of its accessory server. The hub connects to it again.
    package static let unblockAccessory = Method<InHome<UnblockAccessory>, Empty>(
        "accessory.unblock",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Finds the accessory with a long-term public key in the user's homes.
    package static let findAccessory = Method<FindAccessory, FoundAccessory>(
        "accessory.find",
        for: .apps,
        by: .visitor,
        from: .near
    )
    /// Asks an accessory of the home to identify itself.
    package static let identifyAccessory = Method<ItemTarget, Empty>(
        "accessory.identify",
        for: .apps,
        by: .visitor,
        from: .away
    )
    /// Checks the path to an accessory step by step, and returns how far the hub gets and any problems.
    package static let diagnoseAccessory = Method<ItemTarget, AccessoryDiagnosis>(
        "accessory.diagnose",
        for: .people,
        by: .visitor,
        from: .near
    )
    /// Asks an accessory that isn't in a home to identify itself.
    package static let identifyDiscovered = Method<DiscoveredTarget, Empty>(
        "accessory.identifyDiscovered",
        for: .apps,
        by: .editor,
        from: .near
    )
    /// Renames a service in the home. The device itself isn't renamed.
    package static let renameService = Method<InHome<RenameService>, Empty>(
        "service.rename",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Sets the type of service that a switch, an outlet or a contact sensor represents.
    package static let setAssociatedType = Method<InHome<SetAssociatedType>, Empty>(
        "service.setAssociatedType",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )

    // MARK: Accessories that aren't on the network

    /// Starts sending this connection a ``HubEvent/unconfigured(_:)`` for each accessory that isn't on a network.
    package static let startBrowsingUnconfigured = Method<Empty, Empty>(
        "accessory.startBrowsingUnconfigured",
        for: .apps,
        by: .editor,
        from: .near
    )
    /// Stops sending these events.
    package static let stopBrowsingUnconfigured = Method<Empty, Empty>(
        "accessory.stopBrowsingUnconfigured",
        for: .apps,
        by: .oneself,
        from: .away
    )
    /// Hands a network to an accessory that isn't on one, and waits until the accessory is in the home's network. The
    /// network's name and passphrase come from the parameters or from the user's answer to a ``Question`` of the kind
    /// ``Question/Kind/network``. The hub doesn't store them. The accessory can then be added with ``addAccessory``.
    package static let configureAccessory = Method<ConfigureAccessory, ConfiguredAccessory>(
        "accessory.configure",
        for: .apps,
        by: .editor,
        from: .near
    )

    // MARK: Service groups

    /// Adds a service group.
    package static let addServiceGroup = Method<InHome<AddServiceGroup>, AddedItem>(
        "serviceGroup.add",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Removes a service group. Its services remain.
    package static let removeServiceGroup = Method<InHome<RemoveServiceGroup>, Empty>(
        "serviceGroup.remove",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Renames a service group.
    package static let renameServiceGroup = Method<InHome<RenameServiceGroup>, Empty>(
        "serviceGroup.rename",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Adds a service to a service group.
    package static let addServiceToGroup = Method<InHome<AddServiceToGroup>, Empty>(
        "serviceGroup.addService",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Removes a service from a service group, even one that its accessory currently lacks.
    package static let removeServiceFromGroup = Method<InHome<RemoveServiceFromGroup>, Empty>(
        "serviceGroup.removeService",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
}
