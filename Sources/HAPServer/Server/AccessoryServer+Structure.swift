public import HAP
internal import HAPCatalog

extension AccessoryServer {
    /// Serves other accessories from now on. Controllers stay paired and connected and are told by the configuration
    /// number; what stays keeps its IDs and, unless it is among `resetting`, its value as far as that is still allowed. With
    /// another name the server is soon advertised under that.
    ///
    /// - Parameters:
    ///   - accessories: The accessory or bridge first, with the same key as before, then those behind the bridge.
    ///   - resetting: What takes the value that it has in `accessories`, though it was there before.
    /// - Throws: ``AccessoryServerError`` with the code `invalidAccessory`, `invalidConfiguration` if IDs are stated that
    ///   contradict those that were given, `storageUnwritable`, or `wrongState` if the server does not run or is being
    ///   changed by another call. Nothing is changed then.
    public func serve(
        _ accessories: [HostedAccessory],
        resetting: Set<CharacteristicAddress> = []
    ) async throws(AccessoryServerError) {
        guard state == .running, !isChanging else {
            throw AccessoryServerError(.wrongState, reason: "\(name) does not run, or is being changed already")
        }
        let (primary, accessories) = try Self.complete(accessories)
        guard primary.key == primaryKey else {
            throw AccessoryServerError(
                .invalidAccessory,
                reason: "\(primary.key) cannot take the place of \(primaryKey); it needs a server of its own"
            )
        }
        let name = if let name = configuration.name { name } else { try Self.instanceName(of: primary) }
        isChanging = true
        defer { isChanging = false }
        var stored = attributes
        var changed = try stored.host(accessories)
        if stored != attributes { try await registry.store(stored) }
        attributes = stored
        let told = changed.restoreValues(from: database, excluding: resetting)
        database = changed
        model = primary.information.model
        for connection in connections.values {
            let isAdmin = connection.controller.flatMap { pairings[$0] }?.permissions == .admin
            for id in connection.subscriptions where !database.canNotify(id, isAdmin: isAdmin) {
                connection.unsubscribe(id)
            }
        }
        for (id, value) in told {
            guard let entry = database.entry(id) else { continue }
            notify(id, value, isPress: false, except: nil)
            handlers.event(.valueChanged(ValueChange(address: entry.address, value: value, controller: nil)))
        }
        guard name != self.name else { return announce() }
        self.name = name
        // Nobody waits for it: to make a name known takes a second, and those that ask the accessory know it already.
        Task { try? await publishAdvertisement() }
    }

    /// The IDs that an accessory was given, those of what is gone among them; `nil` if it is not hosted.
    public func identifiers(of accessory: String) -> PreassignedIdentifiers? {
        guard database.hosted(accessory) != nil else { return nil }
        return attributes.identifiers.assigned(to: accessory, isPrimary: accessory == primaryKey)
    }

    /// An accessory as controllers see it now, with the keys of its services in their order; `nil` if it is not hosted.
    public func hosted(_ accessory: String) -> (attributes: AccessoryAttributes, services: [String])? {
        database.hosted(accessory)
    }
}
