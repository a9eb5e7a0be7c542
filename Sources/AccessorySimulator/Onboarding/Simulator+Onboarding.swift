internal import HAP
internal import HAPServer
internal import WirelessSetup

/// An accessory of a simulator that isn't on the network yet.
struct UnconfiguredServer {
    /// The server in the accessory's own network.
    var server: SetupServer
    /// The number of attempts to join a network.
    var seed: UInt32 = 0
}

extension Simulator {
    /// Checks the network that accessories can join.
    static func check(_ network: SimulatedNetwork) throws(SimulatorError) {
        guard !network.setupInterfaces.isEmpty || network.advertiser != nil else {
            throw SimulatorError(
                .invalidConfiguration,
                reason: "Accessories that aren't on the network need an interface for their own network"
            )
        }
        do {
            _ = try NetworkCredentials(name: network.name, passphrase: network.passphrase)
        } catch {
            throw SimulatorError(.invalidConfiguration, reason: error.description)
        }
    }

    /// Opens the accessories' own networks.
    func openSetupNetwork() async throws(SimulatorError) {
        guard let network = configuration.network, network.advertiser == nil else { return }
        do {
            setupAdvertiser = try await Advertiser(interfaces: network.setupInterfaces)
        } catch {
            throw SimulatorError(error)
        }
    }

    /// Returns whether the accessory of a slot isn't on the network: it never joined it, or it was reset since.
    func isOffNetwork(_ index: Int) -> Bool {
        guard let network = configuration.network, storages.indices.contains(index) else { return false }
        guard let stored = try? storages[index].read(.network) else { return true }
        return stored != Self.document(network.name)
    }

    /// Serves the accessory of a slot in its own network.
    func serveSetup(_ index: Int, seed: UInt32 = 0) async throws(SimulatorError) {
        guard let network = configuration.network, let description = description(at: index),
            let advertiser = network.advertiser ?? setupAdvertiser, let primary = description.accessories.first
        else { return }
        let information = primary.information
        let server = SetupServer(
            .unconfigured(
                SetupInformation(
                    name: information.name,
                    manufacturer: information.manufacturer,
                    model: information.model,
                    serialNumber: information.serialNumber,
                    firmwareRevision: information.firmwareRevision,
                    hardwareRevision: information.hardwareRevision
                )
            ) { [weak self] configuration in
                Task { await self?.join(index, configuration.network) }
            }
        )
        unconfigured[index] = UnconfiguredServer(server: server, seed: seed)
        let advertisement = SetupAdvertisement(
            deviceID: servers[index].deviceID,
            seed: seed,
            manufacturer: information.manufacturer,
            model: information.model,
            network: "\(information.name.prefix(16)) Setup"
        )
        do {
            // An address selects the interface and is also the address to listen on.
            let address = network.setupInterfaces.first.flatMap { Self.isAddress($0) ? $0 : nil }
            _ = try await server.start(
                address: address,
                name: await servers[index].name,
                advertisement: advertisement,
                by: advertiser
            )
        } catch {
            unconfigured[index] = nil
            throw SimulatorError(error)
        }
    }

    private static func isAddress(_ text: String) -> Bool {
        text.contains(":") || text.split(separator: ".").count == 4 && text.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// Leaves the accessory's own network and joins the network of a configuration. If its name or passphrase is wrong,
    /// the accessory returns to its own network.
    private func join(_ index: Int, _ network: NetworkCredentials) async {
        await turns.lock()
        if isRunning, let previous = unconfigured[index], let expected = configuration.network,
            let description = description(at: index)
        {
            let serialNumber = description.serialNumber
            broadcaster.send(.joining(serialNumber: serialNumber))
            await previous.server.stop()
            let seed = previous.seed + 1
            let isRight = network.name == expected.name && network.passphrase == expected.passphrase
            if isRight, await hasJoined(index, expected.name, seed) {
                broadcaster.send(.joined(serialNumber: serialNumber))
            } else {
                try? await serveSetup(index, seed: seed)
                broadcaster.send(.joinFailed(serialNumber: serialNumber))
            }
        }
        await turns.unlock()
    }

    /// Starts the accessory in the network. Returns whether that succeeded.
    private func hasJoined(_ index: Int, _ network: String, _ seed: UInt32) async -> Bool {
        do {
            try storages[index].write(Self.document(network), to: .network)
            unconfigured[index] = nil
            _ = try await start(index)
            await resumeFaults(index)
        } catch {
            try? storages[index].write([], to: .network)
            return false
        }
        // Controllers find the accessory by its HAP advertisement. This one lets the controller that configured it
        // confirm that.
        guard let advertiser = configuration.advertiser ?? advertiser else { return true }
        let server = SetupServer(.joined { [weak self] in Task { await self?.endConfirmation(index) } })
        confirming[index] = server
        _ = try? await server.start(
            address: configuration.bindAddress,
            name: await servers[index].name,
            advertisement: SetupAdvertisement(deviceID: servers[index].deviceID, seed: seed),
            by: advertiser
        )
        return true
    }

    private func endConfirmation(_ index: Int) async {
        await confirming.removeValue(forKey: index)?.stop()
    }

    /// Stops the servers of a slot for its configuration.
    func stopSetup(_ index: Int) async {
        await unconfigured.removeValue(forKey: index)?.server.stop()
        await confirming.removeValue(forKey: index)?.stop()
    }

    /// Stops all servers for configurations.
    func stopSetup() async {
        for index in Set(unconfigured.keys).union(confirming.keys) { await stopSetup(index) }
        await setupAdvertiser.take()?.shutdown()
    }

    /// Returns the accessory with a serial number as it runs now; `nil` if there is none.
    public func runningAccessory(_ serialNumber: String) async -> RunningAccessory? {
        guard let index = slot(of: serialNumber) else { return nil }
        return await runningAccessory(index, port: await servers[index].port ?? 0)
    }

    /// The stored document that names the joined network.
    private static func document(_ network: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { object in
            object.key("format")
            object.write(1)
            object.key("network")
            object.write(network)
        }
        return writer.bytes
    }
}
