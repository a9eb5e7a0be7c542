import Foundation
import HomeModel
import HubAPI

/// The methods that change a home's layout and users, and the list of homes. Each one submits a request to the
/// database.
struct LayoutMethods: HubPart {
    let database: HomeDatabase

    /// Registers the methods.
    func register(in router: inout MethodRouter) {
        registerHomes(in: &router)
        registerUsers(in: &router)
        additions(
            HubMethods.addRoom,
            HubMethods.addZone,
            HubMethods.addServiceGroup,
            HubMethods.addActionSet,
            HubMethods.addOwnedActionSet,
            HubMethods.addAction,
            HubMethods.addTrigger,
            in: &router
        )
        changes(
            HubMethods.setHomePlace,
            HubMethods.reorderRoom,
            HubMethods.reorderService,
            HubMethods.setServiceHidden,
            HubMethods.setServiceAsksFirst,
            HubMethods.setSceneIcon,
            HubMethods.removeRoom,
            HubMethods.renameRoom,
            HubMethods.removeZone,
            HubMethods.renameZone,
            HubMethods.addRoomToZone,
            HubMethods.removeRoomFromZone,
            HubMethods.renameAccessory,
            HubMethods.moveAccessory,
            HubMethods.renameService,
            HubMethods.setAssociatedType,
            HubMethods.removeServiceGroup,
            HubMethods.renameServiceGroup,
            HubMethods.addServiceToGroup,
            HubMethods.removeServiceFromGroup,
            HubMethods.removeActionSet,
            HubMethods.renameActionSet,
            HubMethods.setActionValue,
            HubMethods.removeAction,
            HubMethods.removeTrigger,
            HubMethods.renameTrigger,
            HubMethods.editTrigger,
            HubMethods.enableTrigger,
            HubMethods.addActionSetToTrigger,
            HubMethods.removeActionSetFromTrigger,
            HubMethods.removeUser,
            HubMethods.setRole,
            HubMethods.setMayBeAway,
            HubMethods.confirmUser,
            in: &router
        )
    }

    // MARK: A home's layout

    /// Registers methods that add an object and reply with its ID.
    private func additions<each Request: AdditionRequest>(
        _ methods: repeat Method<InHome<each Request>, AddedItem>,
        in router: inout MethodRouter
    ) {
        for method in repeat each methods {
            router.on(method) { (parameters, session, keyed) async throws(HubError) in
                var request = parameters.request
                let added = AddedItem(id: request.id ?? UUID())
                request.id = added.id
                return try await submit(request, in: parameters.home, by: session, keyed, result: added)
            }
        }
    }

    /// Registers methods with an empty reply.
    private func changes<each Request: HomeRequest>(
        _ methods: repeat Method<InHome<each Request>, Empty>,
        in router: inout MethodRouter
    ) {
        for method in repeat each methods {
            router.on(method) { (parameters, session, keyed) async throws(HubError) in
                try await submit(parameters.request, in: parameters.home, by: session, keyed, result: Empty())
            }
        }
    }

    private func submit<Result: Codable & Sendable>(
        _ request: any HomeRequest,
        in home: UUID,
        by session: HubSession,
        _ keyed: KeyedRequest?,
        result: Result
    ) async throws(HubError) -> HandlerResult<Result> {
        let receipt = try keyed?.receipt(result)
        let change = try await database.submit(request, in: home, by: session, receipt: receipt)
        return .committing { () async throws(HubError) in try await change.committed(result) }
    }

    // MARK: Users

    /// A user of another of the caller's homes keeps their ID; sessions receive an alias of it.
    private func registerUsers(in router: inout MethodRouter) {
        router.on(HubMethods.addUser) { (parameters, session, keyed) async throws(HubError) in
            let id: UUID
            if let person = parameters.person {
                id = try await database.person(person, of: session)
            } else {
                id = UUID()
            }
            let isInvited = parameters.person == nil
            let request = AddUser(id: id, name: parameters.name, role: parameters.role, isInvited: isInvited)
            let added = AddedItem(id: session.projection.alias(of: id, in: parameters.home))
            return try await submit(request, in: parameters.home, by: session, keyed, result: added)
        }
    }

    // MARK: The list of homes and the favorites

    private func registerHomes(in router: inout MethodRouter) {
        router.on(HubMethods.addHome) { (parameters, session, keyed) async throws(HubError) in
            let added = AddedItem(id: UUID())
            let request = AccountRequest.addHome(id: added.id, name: parameters.name)
            return try await submit(request, by: session, keyed, result: added)
        }
        router.on(HubMethods.renameHome) { (parameters, session, keyed) async throws(HubError) in
            let request = AccountRequest.renameHome(parameters.home, name: parameters.name)
            return try await submit(request, by: session, keyed, result: Empty())
        }
        router.on(HubMethods.setPrimaryHome) { (parameters, session, keyed) async throws(HubError) in
            try await submit(.setPrimaryHome(parameters.home), by: session, keyed, result: Empty())
        }
        router.on(HubMethods.addFavorite) { (parameters, session, keyed) async throws(HubError) in
            let request = AccountRequest.addFavorites(
                [parameters.favorite],
                in: parameters.home,
                before: parameters.before
            )
            return try await submit(request, by: session, keyed, result: Empty())
        }
        router.on(HubMethods.moveFavorite) { (parameters, session, keyed) async throws(HubError) in
            let request = AccountRequest.moveFavorite(
                parameters.favorite,
                in: parameters.home,
                before: parameters.before
            )
            return try await submit(request, by: session, keyed, result: Empty())
        }
        router.on(HubMethods.removeFavorite) { (parameters, session, keyed) async throws(HubError) in
            let request = AccountRequest.removeFavorite(parameters.favorite, in: parameters.home)
            return try await submit(request, by: session, keyed, result: Empty())
        }
    }

    private func submit<Result: Codable & Sendable>(
        _ request: AccountRequest,
        by session: HubSession,
        _ keyed: KeyedRequest?,
        result: Result
    ) async throws(HubError) -> HandlerResult<Result> {
        let change = try await database.submit(
            request,
            by: session.caller,
            cause: session.cause,
            receipt: try keyed?.receipt(result)
        )
        return .committing { () async throws(HubError) in try await change.committed(result) }
    }
}
