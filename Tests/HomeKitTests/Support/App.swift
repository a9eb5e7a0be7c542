import Foundation
import HAPCatalog
import HomeKit
import HomeModel
import HubAPI
import Testing

/// An app connected to a scripted hub, with one manager and a recorder as its delegate.
struct App {
    let hub: ScriptedHub
    let environment: HomeKitEnvironment
    let manager: HMHomeManager
    let recorder = Recorder()

    /// Starts the app and waits until the homes are loaded.
    init(on hub: ScriptedHub) async throws {
        self.hub = hub
        environment = hub.environment()
        manager = HMHomeManager(environment: environment)
        manager.delegate = recorder
        _ = try await recorder.nextUpdate()
    }

    /// Returns the first home, with the recorder as its delegate.
    func home() throws -> HMHome {
        let home = try #require(manager.homes.first)
        home.delegate = recorder
        return home
    }

    /// Returns the accessory with a name, with the recorder as its delegate.
    func accessory(_ name: String) throws -> HMAccessory {
        let accessory = try #require(try home().accessories.first { $0.name == name })
        accessory.delegate = recorder
        return accessory
    }

    /// Returns the next request, which must call the given method, and its parameters.
    func request<Parameters, Result>(
        _ method: Method<Parameters, Result>
    ) async throws -> (request: ScriptedHub.Request, parameters: Parameters) {
        do {
            let request = try await hub.requests.next()
            try #require(request.method == method.name)
            return (request, try request.parameters(of: method))
        } catch {
            // Disconnect, so that no call waits for a reply.
            hub.lose()
            throw error
        }
    }
}

extension HMAccessory {
    /// Returns the first characteristic of a type.
    func characteristic(_ type: String) throws -> HMCharacteristic {
        try #require(services.flatMap(\.characteristics).first { $0.characteristicType == type })
    }
}

/// Returns the code of the error that `body` throws, or `nil` if it succeeds.
func code(_ body: () async throws -> Void) async -> HMError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? HMError)?.code
    }
}
