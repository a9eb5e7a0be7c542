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

    /// Makes the server known. Returns once its name is established.
    func advertise(port: Int) async throws(AccessoryServerError) {
        guard let advertiser, let port = UInt16(exactly: port) else { return }
        let announcement = announcement
        do {
            advertisement = try await advertiser.discovery.announce(
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
        announced = announcement
        // It may have been paired while the name was being established.
        announce()
    }

    /// Makes a change known. One update at a time: none overtakes another, and the newest comes last.
    func announce() {
        guard !isAnnouncing else { return }
        isAnnouncing = true
        Task {
            while let advertisement, announced != announcement {
                let announcement = announcement
                announced = announcement
                // Fails only if the advertisement has ended, and then there is nobody to tell.
                try? await advertisement.update(txt: announcement)
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
