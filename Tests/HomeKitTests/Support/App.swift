import Foundation
import HAPCatalog
import HomeKit
import HomeModel
import HubAPI
import Testing

/// An app on a scripted hub, with one manager whose delegate it is.
struct App {
    let hub: ScriptedHub
    let environment: HomeKitEnvironment
    let manager: HMHomeManager
    let recorder = Recorder()

    /// Starts the app and waits until the homes are there.
    init(on hub: ScriptedHub) async throws {
        self.hub = hub
        environment = hub.environment()
        manager = HMHomeManager(environment: environment)
        manager.delegate = recorder
        _ = try await recorder.nextUpdate()
    }

    /// The first home, whose delegate the recorder becomes.
    func home() throws -> HMHome {
        let home = try #require(manager.homes.first)
        home.delegate = recorder
        return home
    }

    /// The accessory of a name, whose delegate the recorder becomes.
    func accessory(_ name: String) throws -> HMAccessory {
        let accessory = try #require(try home().accessories.first { $0.name == name })
        accessory.delegate = recorder
        return accessory
    }

    /// The next request, which must be of that method, and what it carries.
    func request<Parameters, Result>(
        _ method: Method<Parameters, Result>
    ) async throws -> (request: ScriptedHub.Request, parameters: Parameters) {
        do {
            let request = try await hub.requests.next()
            try #require(request.method == method.name)
            return (request, try request.parameters(of: method))
        } catch {
            // Whoever waits for a reply waits no longer.
            hub.lose()
            throw error
        }
    }
}

extension HMAccessory {
    /// The first characteristic of a type.
    func characteristic(_ type: String) throws -> HMCharacteristic {
        try #require(services.flatMap(\.characteristics).first { $0.characteristicType == type })
    }
}

/// What a call came to: an error's code, or nil.
func code(_ body: () async throws -> Void) async -> HMError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? HMError)?.code
    }
}
