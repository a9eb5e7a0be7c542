#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HAPServer

extension Simulator {
    /// Makes and starts every server.
    func host() async throws(SimulatorError) -> [ReadyAccessory] {
        let behaviours = BehaviourRunner(descriptions, timeline: timeline, activity: activity)
        self.behaviours = behaviours
        do throws(AccessoryServerError) {
            if let interfaces = configuration.interfaces { advertiser = try await Advertiser(interfaces: interfaces) }
            for index in descriptions.indices {
                let server = try makeServer(index, behaviours, Hosting(descriptions[index], index, configuration))
                plans[index].onPowerCut { [weak self] in self?.losePower(index) }
                servers.append(server)
                for accessory in descriptions[index].accessories { serverOfAccessory[accessory.key] = server }
            }
        } catch {
            throw SimulatorError(error)
        }
        await behaviours.start(serverOfAccessory)
        // All at once: making a name known takes a second.
        let results = await withTaskGroup { group in
            for (index, server) in servers.enumerated() {
                group.addTask { (index, await Self.start(server)) }
            }
            var results: [Int: Result<ReadyAccessory, AccessoryServerError>] = [:]
            for await (index, result) in group { results[index] = result }
            return results
        }
        do throws(AccessoryServerError) {
            var ready: [ReadyAccessory] = []
            for index in servers.indices {
                if let result = results[index] { ready.append(try result.get()) }
            }
            return ready
        } catch {
            throw SimulatorError(error)
        }
    }

    /// How a server is hosted: as the description says, or as it was before a restart.
    struct Hosting {
        var accessories: [HostedAccessory]
        var port: Int
        var isFactoryReset: Bool
        var structureFault: StructureFault?

        init(_ description: AccessoryDescription, _ index: Int, _ configuration: SimulatorConfiguration) {
            accessories = description.accessories
            port = configuration.port == 0 ? 0 : configuration.port + index
            isFactoryReset = configuration.isFactoryReset
        }
    }

    /// Makes the server of a description.
    func makeServer(
        _ index: Int,
        _ behaviours: BehaviourRunner,
        _ hosting: Hosting
    ) throws(AccessoryServerError) -> AccessoryServer {
        let description = descriptions[index]
        let (hub, name) = (hub, description.name)
        var server = AccessoryServerConfiguration(
            category: description.category,
            deviceID: description.deviceID,
            setupCode: description.setupCode,
            setupID: description.setupID,
            bindAddress: configuration.bindAddress,
            port: hosting.port,
            isFactoryReset: hosting.isFactoryReset
        )
        server.interference = plans[index]
        server.timer = serverTimer
        server.structureFault = hosting.structureFault
        server.entrance = configuration.entrance
        return try AccessoryServer(
            server,
            accessories: hosting.accessories,
            storage: try storage(of: description),
            handlers: AccessoryServerHandlers(event: { event in
                switch event {
                case .valueChanged(let change):
                    behaviours.note(change)
                    hub.send(.valueChanged(change))
                case .identify(let serialNumber):
                    hub.send(.identify(serialNumber: serialNumber))
                case .pairingChanged(let isPaired):
                    hub.send(.pairingChanged(name: name, isPaired: isPaired))
                }
            }),
            advertiser: configuration.advertiser ?? advertiser
        )
    }

    private func storage(
        of description: AccessoryDescription
    ) throws(AccessoryServerError) -> any AccessoryStorage {
        if let storage = configuration.storage { return storage(description) }
        return try FolderStorage(folder: try folder(of: description))
    }

    /// The folder of an accessory in the data folder: named by its serial number, with bytes that a file name cannot
    /// have or that look like a path written as `%XX`.
    private func folder(of description: AccessoryDescription) throws(AccessoryServerError) -> String {
        do {
            try FileManager.default.createDirectory(
                atPath: configuration.dataFolder,
                withIntermediateDirectories: true
            )
        } catch {
            throw AccessoryServerError(
                .storageUnwritable,
                reason: "The data folder \(configuration.dataFolder) cannot be made"
            )
        }
        let serialNumber = description.accessories.first?.key ?? ""
        let name = serialNumber.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "-_".contains(character) {
                return String(character)
            }
            return (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
        return "\(configuration.dataFolder)/\(name.joined())"
    }

    private static func start(_ server: AccessoryServer) async -> Result<ReadyAccessory, AccessoryServerError> {
        do throws(AccessoryServerError) {
            return .success(
                ReadyAccessory(
                    name: server.name,
                    deviceID: server.deviceID,
                    port: try await server.start(),
                    setupCode: server.setupCode,
                    setupPayload: server.setupPayload,
                    isPaired: await server.isPaired
                )
            )
        } catch {
            return .failure(error)
        }
    }
}
