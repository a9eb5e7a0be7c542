import Foundation
import HomeModel
import HubAPI

/// The methods that change what is in a home, and the list of homes: each is a request to the database.
struct LayoutMethods: Sendable {
    let database: HomeDatabase

    /// Registers the methods.
    func register(in router: inout MethodRouter) {
        registerHomes(in: &router)
        registerRooms(in: &router)
        registerZones(in: &router)
        registerPeople(in: &router)
        registerServiceGroups(in: &router)
        registerActionSets(in: &router)
        registerTriggers(in: &router)
        on(HubMethods.renameAccessory, in: &router) { ($0.home, .renameAccessory($0.id, name: $0.name)) }
        on(HubMethods.moveAccessory, in: &router) { ($0.home, .moveAccessory($0.id, room: $0.room)) }
        on(HubMethods.renameService, in: &router) {
            ($0.home, .renameService(accessory: $0.accessory, iid: $0.iid, name: $0.name))
        }
        on(HubMethods.setAssociatedType, in: &router) {
            ($0.home, .setAssociatedType($0.type, accessory: $0.accessory, iid: $0.iid))
        }
    }

    private func registerHomes(in router: inout MethodRouter) {
        router.on(HubMethods.addHome) { (parameters, session, keyed) async throws(HubError) in
            let id = UUID()
            let request = AccountRequest.addHome(id: id, name: parameters.name)
            let added = Added(id: id)
            let commitment = try await database.submit(
                request,
                by: session.caller,
                cause: session.cause,
                receipt: try keyed?.receipt(added)
            )
            return .committing { () async throws(HubError) in try await commitment.settled(added) }
        }
        on(HubMethods.renameHome, in: &router) { .renameHome($0.home, name: $0.name) }
        on(HubMethods.setPrimaryHome, in: &router) { .setPrimaryHome($0.home) }
    }

    private func registerRooms(in router: inout MethodRouter) {
        onAddition(HubMethods.addRoom, in: &router) { ($1.home, .addRoom(id: $0, name: $1.name)) }
        on(HubMethods.removeRoom, in: &router) { ($0.home, .removeRoom($0.id)) }
        on(HubMethods.renameRoom, in: &router) { ($0.home, .renameRoom($0.id, name: $0.name)) }
    }

    private func registerZones(in router: inout MethodRouter) {
        onAddition(HubMethods.addZone, in: &router) { ($1.home, .addZone(id: $0, name: $1.name)) }
        on(HubMethods.removeZone, in: &router) { ($0.home, .removeZone($0.id)) }
        on(HubMethods.renameZone, in: &router) { ($0.home, .renameZone($0.id, name: $0.name)) }
        on(HubMethods.addRoomToZone, in: &router) { ($0.home, .addRoomToZone(room: $0.room, zone: $0.zone)) }
        on(HubMethods.removeRoomFromZone, in: &router) { ($0.home, .removeRoomFromZone(room: $0.room, zone: $0.zone)) }
    }

    private func registerPeople(in router: inout MethodRouter) {
        router.on(HubMethods.addUser) { (parameters, session, keyed) async throws(HubError) in
            let id: UUID
            if let person = parameters.person {
                id = try await database.person(person, of: session)
            } else {
                id = UUID()
            }
            let request = HomeRequest.addUser(id: id, name: parameters.name, role: parameters.role)
            let added = Added(id: session.projection.alias(of: id, in: parameters.home))
            let receipt = try keyed?.receipt(added)
            let commitment = try await database.submit(request, in: parameters.home, by: session, receipt: receipt)
            return .committing { () async throws(HubError) in try await commitment.settled(added) }
        }
        on(HubMethods.removeUser, in: &router) { ($0.home, .removeUser($0.id)) }
        on(HubMethods.setRole, in: &router) { ($0.home, .setRole($0.role, of: $0.id)) }
        on(HubMethods.confirmUser, in: &router) { ($0.home, .confirmUser($0.id)) }
    }

    func onAddition<Parameters>(
        _ method: Method<Parameters, Added>,
        in router: inout MethodRouter,
        id: @escaping @Sendable (Parameters) -> UUID? = { _ in nil },
        request: @escaping @Sendable (UUID, Parameters) -> (home: UUID, HomeRequest)
    ) {
        router.on(method) { (parameters, session, keyed) async throws(HubError) in
            let id = id(parameters) ?? UUID()
            let (home, request) = request(id, parameters)
            let added = Added(id: id)
            let receipt = try keyed?.receipt(added)
            let commitment = try await database.submit(request, in: home, by: session, receipt: receipt)
            return .committing { () async throws(HubError) in try await commitment.settled(added) }
        }
    }

    func on<Parameters>(
        _ method: Method<Parameters, Empty>,
        in router: inout MethodRouter,
        request: @escaping @Sendable (Parameters) -> (home: UUID, HomeRequest)
    ) {
        router.on(method) { (parameters, session, keyed) async throws(HubError) in
            let (home, request) = request(parameters)
            let receipt = try keyed?.receipt(Empty())
            let commitment = try await database.submit(request, in: home, by: session, receipt: receipt)
            return .committing { () async throws(HubError) in try await commitment.settled(Empty()) }
        }
    }

    private func on<Parameters>(
        _ method: Method<Parameters, Empty>,
        in router: inout MethodRouter,
        request: @escaping @Sendable (Parameters) -> AccountRequest
    ) {
        router.on(method) { (parameters, session, keyed) async throws(HubError) in
            let commitment = try await database.submit(
                request(parameters),
                by: session.caller,
                cause: session.cause,
                receipt: try keyed?.receipt(Empty())
            )
            return .committing { () async throws(HubError) in try await commitment.settled(Empty()) }
        }
    }
}
