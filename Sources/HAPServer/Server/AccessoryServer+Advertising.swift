internal import DNSSD
internal import HAP
internal import HAPCatalog

extension AccessoryServer {
    /// The state number, which never changes on IP.
    private static let stateNumber = 1

    /// What the server says of itself on the network now. Source: HAP specification, table 6-7.
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
        return record
    }

    /// The addresses to give; `nil` gives all. To listen on the unspecified address is to listen on all.
    nonisolated var advertisedAddresses: [IPAddress]? {
        guard let address = configuration.bindAddress.flatMap({ IPAddress($0) }),
            address.bytes.contains(where: { $0 != 0 })
        else { return nil }
        return [address]
    }

    /// Makes the server known at a port. Returns once its name is established.
    func advertise(port: Int) async throws(AccessoryServerError) {
        advertisedPort = UInt16(exactly: port)
        try await publishAdvertisement()
    }

    /// Takes leave of the network, until the server is advertised again.
    func withdrawAdvertisement() async {
        advertisedPort = nil
        await published.take()?.service.withdraw()
    }

    /// Makes the server known under the name and at the port that it has. One after the other: a name that one call is still
    /// asking for would be taken to another.
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
        // It may have been paired while the name was being established.
        announce()
    }

    private func isPublished(as name: String, at port: UInt16) -> Bool {
        published.map { $0.name == name && $0.port == port } ?? false
    }

    private func publishAdvertisement(as name: String, at port: UInt16, by advertiser: Advertiser)
        async throws(AccessoryServerError)
    {
        // Before it comes back under another name: nobody is to see it twice.
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
            throw AccessoryServerError(.advertisingFailed, reason: "\(name) cannot be advertised: \(error.reason)")
        }
        guard name == self.name, port == advertisedPort else {
            await service.withdraw()
            return
        }
        published = PublishedService(name: name, port: port, service: service)
        announced = announcement
    }

    /// Makes a change known. One update at a time: none overtakes another, and the newest comes last.
    func announce() {
        guard !isAnnouncing else { return }
        isAnnouncing = true
        Task {
            while let published, announced != announcement {
                let announcement = announcement
                announced = announcement
                // Fails only if the advertisement has ended, and then there is nobody to tell.
                try? await published.service.update(txt: announcement)
            }
            isAnnouncing = false
        }
    }
}

extension TXTRecord {
    /// The value of a key of HAP.
    fileprivate subscript(key: TXTKey) -> String? {
        get { self[key.rawValue] }
        set { self[key.rawValue] = newValue }
    }
}
