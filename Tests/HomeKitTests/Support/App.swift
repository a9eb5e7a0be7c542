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

extension App {
    /// Carries out the app's next request, which must call the given method, as the hub would.
    @discardableResult
    func grant<Request>(_ method: Method<InHome<Request>, Empty>) async throws -> Request {
        let (request, parameters) = try await request(method)
        do {
            try hub.change(parameters.request, in: parameters.home, isMine: true)
            try request.reply(Empty())
        } catch let error as HomeError {
            request.refuse(HubError.Code(rawValue: error.code.rawValue), error.reason)
        }
        return parameters.request
    }

    /// Carries out the app's next request, which must call the given method that adds an object, as the hub would.
    @discardableResult
    func grant<Request: AdditionRequest>(_ method: Method<InHome<Request>, AddedItem>) async throws -> Request {
        let (request, parameters) = try await request(method)
        var addition = parameters.request
        let id = addition.id ?? UUID()
        addition.id = id
        do {
            try hub.change(addition, in: parameters.home, isMine: true)
            try request.reply(AddedItem(id: id))
        } catch let error as HomeError {
            request.refuse(HubError.Code(rawValue: error.code.rawValue), error.reason)
        }
        return parameters.request
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
