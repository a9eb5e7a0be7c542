import Foundation
import HAP
import HAPCatalog
import HomeModel
import HubAPI

/// The methods that find, add, remove and identify accessories.
struct AccessoryMethods: Sendable {
    let connections: AccessoryConnections
    let discovery: AccessoryDiscovery
    let addition: AccessoryAddition
    let setup: AccessorySetup
    let identifier: AccessoryIdentifier

    /// Registers the methods.
    func register(in router: inout MethodRouter) {
        router.on(HubMethods.startBrowsing) { (_, session) async throws(HubError) in
            await discovery.startBrowsing(session)
            return .done(Done())
        }
        router.on(HubMethods.stopBrowsing) { (_, session) async throws(HubError) in
            session.isBrowsing = false
            return .done(Done())
        }
        router.on(HubMethods.addAccessory) { (parameters, session) async throws(HubError) in
            .later { () async throws(HubError) in try await addition.add(parameters, for: session) }
        }
        router.on(HubMethods.setUpAccessories) { (parameters, session) async throws(HubError) in
            .later { () async throws(HubError) in try await setup.setUp(parameters, for: session) }
        }
        router.on(HubMethods.removeAccessory) { (parameters, session) async throws(HubError) in
            try await addition.remove(parameters, by: session.caller)
        }
        router.on(HubMethods.removeHome) { (parameters, session) async throws(HubError) in
            try await addition.removeHome(parameters, by: session.caller)
        }
        router.on(HubMethods.findAccessory) { (parameters, session) async throws(HubError) in
            .done(try await identifier.find(parameters, for: session.user))
        }
        router.on(HubMethods.identifyAccessory) { (parameters, session) async throws(HubError) in
            try await identifier.identify(parameters, for: session.user)
        }
        router.on(HubMethods.identifyDiscovered) { (parameters, _) async throws(HubError) in
            .later { () async throws(HubError) in try await identifier.identify(discovered: parameters.id) }
        }
    }
}
