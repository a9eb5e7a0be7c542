import Dispatch
import Foundation
import HomeHub
import HubAPI
import PeerProcess

@testable import HomeKit

/// An app on a hub in the same process, written with the `HomeKit` module. It records its delegates' messages.
final class TestApp: NSObject, Sendable {
    let manager: HMHomeManager
    let browser: HMAccessoryBrowser
    /// The app's environment. Other objects created in it belong to the same app.
    let environment: HomeKitEnvironment
    /// The delegates' messages, in order.
    let messages = AwaitableValue<[String]>([])

    /// - Parameters:
    ///   - user: The app's user, by default the hub's own.
    ///   - transport: A closure that creates the app's transport, by default an in-process one.
    init(
        on hub: HomeHub,
        named name: String = "test.app",
        as user: UUID? = nil,
        by transport: (@Sendable () -> any HubTransport)? = nil
    ) {
        let environment = HomeKitEnvironment(
            app: name,
            purpose: "Tests.",
            queue: DispatchQueue(label: name),
            transport: transport ?? { InProcessTransport(to: hub, as: .person(user, on: hub)) }
        )
        self.environment = environment
        (manager, browser) = HomeKitEnvironment.$current.withValue(environment) {
            (HMHomeManager(), HMAccessoryBrowser())
        }
        super.init()
        manager.delegate = self
        browser.delegate = self
    }

    /// Waits for a delegate message.
    func until(_ message: String) async throws {
        try await messages.until { $0.contains(message) }
    }

    /// Returns how often a message was received.
    func count(_ message: String) -> Int { messages.value.count { $0 == message } }

    func record(_ message: String) {
        messages.change { $0.append(message) }
    }

    /// Waits until the browser finds an accessory whose name has a prefix, and returns the accessory.
    func found(_ name: String) async throws -> HMAccessory {
        try await messages.until { $0.contains { $0.hasPrefix("found \(name)") } }
        guard let accessory = browser.discoveredAccessories.first(where: { $0.name.hasPrefix(name) }) else {
            throw HMError(.notFound)
        }
        return accessory
    }

    /// Returns a characteristic of an accessory in the primary home.
    func characteristic(_ type: String, of accessory: String) throws -> HMCharacteristic {
        let accessory = manager.primaryHome?.accessories.first { $0.name == accessory }
        guard
            let characteristic = accessory?.services.flatMap(\.characteristics)
                .first(where: { $0.characteristicType == type })
        else { throw HMError(.notFound) }
        return characteristic
    }

    /// Sets the delegates of all homes and accessories, as apps do after every update.
    func observe() {
        for home in manager.homes {
            home.delegate = self
            for accessory in home.accessories { accessory.delegate = self }
        }
    }
}

extension TestApp: HMHomeManagerDelegate {
    func homeManager(_ manager: HMHomeManager, didUpdate status: HMHomeManagerAuthorizationStatus) {
        record("status \(status.rawValue)")
    }

    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        observe()
        record("homes updated")
    }

    func homeManager(_ manager: HMHomeManager, didAdd home: HMHome) {
        home.delegate = self
        record("added home \(home.name)")
    }

    func homeManager(_ manager: HMHomeManager, didRemove home: HMHome) { record("removed home \(home.name)") }
}

extension TestApp: HMHomeDelegate {
    func home(_ home: HMHome, didAdd room: HMRoom) { record("added room \(room.name)") }

    func home(_ home: HMHome, didAdd accessory: HMAccessory) {
        accessory.delegate = self
        record("added \(accessory.name)")
    }

    func home(_ home: HMHome, didRemove accessory: HMAccessory) { record("removed \(accessory.name)") }

    func home(_ home: HMHome, didAdd group: HMServiceGroup) { record("added group \(group.name)") }

    func home(_ home: HMHome, didRemove group: HMServiceGroup) { record("removed group \(group.name)") }

    func home(_ home: HMHome, didUpdateNameFor group: HMServiceGroup) { record("group is \(group.name)") }

    func home(_ home: HMHome, didAdd service: HMService, to group: HMServiceGroup) {
        record("\(service.name) into \(group.name)")
    }

    func home(_ home: HMHome, didRemove service: HMService, from group: HMServiceGroup) {
        record("\(service.name) out of \(group.name)")
    }

    func home(_ home: HMHome, didAdd user: HMUser) { record("added user \(user.name)") }

    func home(_ home: HMHome, didRemove user: HMUser) { record("removed user \(user.name)") }

    func homeDidUpdateAccessControl(forCurrentUser home: HMHome) {
        record("administrator of \(home.name): \(home.homeAccessControl(for: home.currentUser).isAdministrator)")
    }
}

extension TestApp: HMAccessoryDelegate {
    func accessory(_ accessory: HMAccessory, didUpdateAssociatedServiceTypeFor service: HMService) {
        record("\(service.name) counts as \(service.associatedServiceType ?? "itself")")
    }

    func accessoryDidUpdateReachability(_ accessory: HMAccessory) {
        record("\(accessory.name) is \(accessory.isReachable ? "reachable" : "unreachable")")
    }

    func accessory(_ accessory: HMAccessory, service: HMService, didUpdateValueFor characteristic: HMCharacteristic) {
        record("\(accessory.name) \(characteristic.localizedDescription) \(characteristic.value ?? "nil")")
    }
}

extension TestApp: HMAccessoryBrowserDelegate {
    func accessoryBrowser(_ browser: HMAccessoryBrowser, didFindNewAccessory accessory: HMAccessory) {
        record("found \(accessory.name)")
    }

    func accessoryBrowser(_ browser: HMAccessoryBrowser, didRemoveNewAccessory accessory: HMAccessory) {
        record("lost \(accessory.name)")
    }
}

/// Runs a call, and returns the error's code if it fails, otherwise `nil`.
func code(_ body: () async throws -> Void) async -> HMError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? HMError)?.code
    }
}
