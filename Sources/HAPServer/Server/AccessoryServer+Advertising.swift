internal import DNSSD
internal import HAP
internal import HAPCatalog

extension AccessoryServer {
    /// The state number, which never changes on IP.
    private static let stateNumber = 1

    /// The TXT record that describes the server's current state. Source: HAP specification, table 6-7.
    var announcement: TXTRecord {
        var record = TXTRecord()
        record[.configurationNumber] = String(configurationNumber)
        record[.featureFlags] = String(FeatureFlags().rawValue)
        record[.deviceID] = deviceID.description
        record[.model] = model
        record[.protocolVersion] = HAPVersion.txt
        record[.stateNumber] = String(Self.stateNumber)
        record[.statusFlags] = String((isPaired ? [] : StatusFlags.notPaired).rawValue)
        record[.category] = String(configuration.category.rawValue)
        record[.setupHash] = SetupHash(setupID: setupID, deviceID: deviceID).textValue
        return configuration.rewriter?.advertisement(record) ?? record
    }

    /// The addresses to advertise, or `nil` for all. The unspecified address also means all.
    nonisolated var advertisedAddresses: [IPAddress]? {
        guard let address = configuration.bindAddress.flatMap({ IPAddress($0) }),
            address.bytes.contains(where: { $0 != 0 })
        else { return nil }
        return [address]
    }

    /// Advertises the server at a port. Returns once its name is established.
    func advertise(port: Int) async throws(AccessoryServerError) {
        advertisedPort = UInt16(exactly: port)
        try await publishAdvertisement()
    }

    /// Withdraws the advertisement until the server is advertised again.
    func withdrawAdvertisement() async {
        advertisedPort = nil
        await published.take()?.service.withdraw()
    }

    /// Publishes the advertisement with the current name and port. Calls are serialized, because a name that another
    /// call is still probing for would count as taken.
    func publishAdvertisement() async throws(AccessoryServerError) {
        await advertisingLock.lock()
        do throws(AccessoryServerError) {
            while let advertiser, let port = advertisedPort, !isPublished(as: name, at: port) {
                try await publishAdvertisement(as: name, at: port, by: advertiser)
            }
        } catch {
            await advertisingLock.unlock()
            throw error
        }
        await advertisingLock.unlock()
        // The server may have been paired while the name was being established.
        announce()
    }

    private func isPublished(as name: String, at port: UInt16) -> Bool {
        published.map { $0.name == name && $0.port == port } ?? false
    }

    private func publishAdvertisement(as name: String, at port: UInt16, by advertiser: Advertiser)
        async throws(AccessoryServerError)
    {
        // Withdraw the old name first, so that browsers never see the server twice.
        await published.take()?.service.withdraw()
        let announcement = announcement
        let service: any ServiceAnnouncement
        do {
            service = try await advertiser.discovery.announce(
                ServiceAdvertisement(
                    instanceName: name,
                    type: .hap,
                    port: port,
                    txt: announcement,
                    addresses: advertisedAddresses
                )
            )
        } catch {
            throw AccessoryServerError(.advertisingFailed, reason: "\(name) can't be advertised: \(error.reason)")
        }
        guard name == self.name, port == advertisedPort else {
            await service.withdraw()
            return
        }
        published = PublishedService(name: name, port: port, service: service)
        announced = announcement
    }

    /// Updates the published TXT record if it changed. Updates are serialized, so that the newest comes last.
    package func announce() {
        guard !isAnnouncing else { return }
        isAnnouncing = true
        Task {
            while let published, announced != announcement {
                let announcement = announcement
                announced = announcement
                // This fails only if the advertisement was withdrawn, so there is nothing to update.
                try? await published.service.update(txt: announcement)
            }
            isAnnouncing = false
        }
    }
}

extension TXTRecord {
    /// The value of a HAP key.
    fileprivate subscript(key: TXTKey) -> String? {
        get { self[key.rawValue] }
        set { self[key.rawValue] = newValue }
    }
}
