public import HAP
internal import HAPCatalog

extension AccessoryServer {
    /// Replaces the hosted accessories.
    ///
    /// Controllers stay paired and connected, and learn of the change from the configuration number. Objects that
    /// already existed keep their IDs and, if still allowed, their values. If the name changes, the server is
    /// advertised under the new name shortly afterwards.
    ///
    /// - Parameters:
    ///   - accessories: The accessory or bridge first, with the same key as before, then the bridged accessories.
    ///   - resetting: The existing characteristics that take their value in `accessories`.
    /// - Throws: ``AccessoryServerError`` with the code `invalidAccessory`, `invalidConfiguration` if preassigned IDs
    ///   contradict assigned ones, `storageUnwritable`, or `wrongState` if the server isn't running or another change
    ///   is in progress. Nothing is changed then.
    public func serve(
        _ accessories: [HostedAccessory],
        resetting: Set<CharacteristicAddress> = []
    ) async throws(AccessoryServerError) {
        guard state == .running, !isChanging else {
            throw AccessoryServerError(.wrongState, reason: "\(name) isn't running, or another change is in progress")
        }
        let (primary, accessories) = try Self.complete(accessories)
        guard primary.key == primaryKey else {
            throw AccessoryServerError(
                .invalidAccessory,
                reason: "\(primary.key) can't replace the primary accessory \(primaryKey); create another server for it"
            )
        }
        let name = if let name = configuration.name { name } else { try Self.instanceName(of: primary) }
        isChanging = true
        defer { isChanging = false }
        var stored = attributes
        var changed = try stored.host(accessories)
        if stored != attributes { try await registry.store(stored) }
        attributes = stored
        let changedValues = changed.restoreValues(from: database, excluding: resetting)
        database = changed
        model = primary.information.model
        for connection in connections.values {
            let isAdmin = connection.controller.flatMap { pairings.permissions(of: $0) } == .admin
            for id in connection.subscriptions where !database.canNotify(id, isAdmin: isAdmin) {
                connection.unsubscribe(id)
            }
        }
        for (id, value) in changedValues {
            guard let index = database.index(of: id) else { continue }
            notify(index, value, except: nil)
            let change = ValueChange(address: database.entries[index].address, value: value, controller: nil)
            handlers.event(.valueChanged(change))
        }
        guard name != self.name else { return announce() }
        self.name = name
        // Don't wait for this, because establishing a name takes a second and controllers can already read it.
        Task { try? await publishAdvertisement() }
    }

    /// Returns the IDs assigned to an accessory, including those of removed services and characteristics, or `nil` if
    /// it isn't hosted.
    public func identifiers(of accessory: String) -> PreassignedIdentifiers? {
        guard database.hosted(accessory) != nil else { return nil }
        return attributes.identifiers.assigned(to: accessory, isPrimary: accessory == primaryKey)
    }

    /// Returns an accessory's current attributes with the keys of its services in order, or `nil` if it isn't hosted.
    public func hosted(_ accessory: String) -> (attributes: AccessoryAttributes, services: [String])? {
        database.hosted(accessory)
    }
}
