import Foundation
import HAP
import HAPCatalog
import HomeModel
import HubAPI

/// The methods that find, add, remove and identify accessories.
struct AccessoryMethods: HubPart {
    let database: HomeDatabase
    let connections: AccessoryConnections
    let discovery: AccessoryDiscovery
    let addition: AccessoryAddition
    let removal: AccessoryRemoval
    let setup: AccessorySetup
    let imports: PairingImporter
    let identifier: IdentifyHandler

    init(addition: AccessoryAddition) {
        self.addition = addition
        database = addition.database
        connections = addition.connections
        discovery = connections.discovery
        removal = AccessoryRemoval(database: database, connections: connections)
        setup = AccessorySetup(addition: addition)
        imports = PairingImporter(addition: addition)
        identifier = IdentifyHandler(database: database, connections: connections)
    }

    /// Registers the methods.
    func register(in router: inout MethodRouter) {
        router.on(HubMethods.startBrowsing) { (_, session) async throws(HubError) in
            await discovery.startBrowsing(session)
            return .done(Empty())
        }
        router.on(HubMethods.stopBrowsing) { (_, session) async throws(HubError) in
            session.isBrowsing = false
            return .done(Empty())
        }
        router.on(HubMethods.addAccessory) { (parameters, session, request) async throws(HubError) in
            .committing { () async throws(HubError) in
                try await addition.add(parameters, for: session) { (added) throws(HubError) in
                    try request?.receipt(added)
                }
            }
        }
        router.on(HubMethods.setUpAccessories) { (parameters, session, request) async throws(HubError) in
            .committing { () async throws(HubError) in
                try await setup.setUp(parameters, for: session, request)
            }
        }
        router.on(HubMethods.importAccessory) { (parameters, session) async throws(HubError) in
            .deferred { () async throws(HubError) in
                try await imports.run(parameters, by: session.caller, cause: session.cause)
            }
        }
        router.on(HubMethods.removeAccessory) { (parameters, session, request) async throws(HubError) in
            let receipt = try request?.receipt(Empty())
            return try await removal.remove(parameters, by: session.caller, cause: session.cause, receipt: receipt)
        }
        router.on(HubMethods.blockAccessory) { (parameters, session, request) async throws(HubError) in
            try await setBlocked(parameters, for: session, request)
        }
        router.on(HubMethods.unblockAccessory) { (parameters, session, request) async throws(HubError) in
            try await setBlocked(parameters, for: session, request)
        }
        router.on(HubMethods.removeHome) { (parameters, session, request) async throws(HubError) in
            let receipt = try request?.receipt(Empty())
            return try await removal.removeHome(parameters, by: session.caller, cause: session.cause, receipt: receipt)
        }
        router.on(HubMethods.findAccessory) { (parameters, session) async throws(HubError) in
            .done(try await identifier.find(parameters, for: session.user))
        }
        router.on(HubMethods.identifyAccessory) { (parameters, session) async throws(HubError) in
            try await identifier.identify(parameters, for: session.user)
        }
        router.on(HubMethods.identifyDiscovered) { (parameters, _) async throws(HubError) in
            .deferred { () async throws(HubError) in try await identifier.identify(discovered: parameters.id) }
        }
    }

    /// Blocks or unblocks an accessory: stores the change, then closes or opens the connection.
    private func setBlocked(
        _ target: InHome<some ItemRequest>,
        for session: HubSession,
        _ keyed: KeyedRequest?
    ) async throws(HubError) -> HandlerResult<Empty> {
        let server = try await database.home(target.home, for: session.user).accessories[id: target.request.id]?.server
        let change = try await database.submit(
            target.request,
            in: target.home,
            by: session.caller,
            cause: session.cause,
            receipt: try keyed?.receipt(Empty())
        )
        return .committing { () async throws(HubError) in
            let done = try await change.committed(Empty())
            if let deviceID = server.flatMap({ DeviceID($0) }) { await connections.followBlocking(of: deviceID) }
            return done
        }
    }
}
