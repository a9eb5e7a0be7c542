import Foundation
import Glibc
import HomeIdentity
import HomeModel
import HubAPI
import Logging
import Synchronization

extension Agent {
    /// Carries out a request for the agent itself.
    ///
    /// - Returns: The reply, and what to do once it is sent, because the session may not outlive it.
    func serve(
        _ request: HubRequest,
        for session: AgentSession
    ) async -> (Result<Data, HubError>, @Sendable () -> Void) {
        do throws(HubError) {
            switch request.method {
            case HubMethods.apps.name:
                return try (.success(encoded(await apps())), {})
            case HubMethods.allowApp.name:
                try await decide(parameters(AppTarget.self, request).id, true)
            case HubMethods.denyApp.name:
                try await decide(parameters(AppTarget.self, request).id, false)
            case HubMethods.forgetApp.name:
                let id = try parameters(AppTarget.self, request).id
                state.withLock { $0.settings.apps.removeAll { $0.id == id } }
                try storeSettingsOrThrow()
            case HubMethods.openAppSocket.name:
                try await openSockets().add(parameters(OpenAppSocket.self, request))
                return try (.success(encoded(OpenedAppSocket(hubUser: geteuid()))), {})
            case HubMethods.closeAppSocket.name:
                try await openSockets().remove(parameters(AppSocketTarget.self, request).path)
            case HubMethods.answerQuestion.name:
                try answer(parameters(AnswerQuestion.self, request))
            case HubMethods.declineQuestion.name:
                try decline(parameters(QuestionTarget.self, request).id)
            case HubMethods.renewQuestion.name:
                let expires = try renew(parameters(QuestionTarget.self, request).id)
                return try (.success(encoded(RenewedQuestion(expires: expires))), {})
            case HubMethods.setPrimaryHome.name:
                try setPrimaryHome(parameters(HomeTarget.self, request).home, by: session)
            case AgentMethods.hubs.name:
                let list = AgentHubs(hubs: hubs.map(\.description), notices: takeNotices())
                return try (.success(encoded(list)), {})
            case AgentMethods.join.name:
                let (joining, start) = try await join(parameters(JoinHub.self, request))
                return try (.success(encoded(joining)), start)
            case AgentMethods.openVault.name:
                return try (.success(encoded(await openVault(parameters(OpenVault.self, request)))), {})
            case AgentMethods.readVault.name:
                return try (.success(encoded(readVault(parameters(ReadBackup.self, request)))), {})
            case AgentMethods.leave.name:
                let end = try await leave(parameters(AgentHubTarget.self, request).hub)
                return (.success(Data("{}".utf8)), end)
            default:
                let reason = "An agent doesn't serve \(request.method). Use the hub's own machine."
                throw HubError(.unknownMethod, reason)
            }
            return (.success(Data("{}".utf8)), {})
        } catch {
            return (.failure(error), {})
        }
    }

    private func join(_ parameters: JoinHub) async throws(HubError) -> (HubJoining, @Sendable () -> Void) {
        guard hubs.count < AgentLimits.hubs else {
            let reason = "This device belongs to \(AgentLimits.hubs) hubs. Leave one with “hearth leave”."
            throw HubError(HomeError(.limitExceeded, reason))
        }
        let begun = Mutex<StoredHub?>(nil)
        let hub: StoredHub
        let digits: String?
        do throws(HubError) {
            (hub, digits) = try await configuration.network.join(parameters) { [self] (stored) throws(HubError) in
                try configuration.folder.store(stored)
                begun.withLock { $0 = stored }
            }
        } catch {
            if let stored = begun.withLock({ $0 }) { end(stored, because: error) }
            throw error
        }
        try configuration.folder.store(hub)
        log.info("This device has joined a hub.", metadata: ["hub": "\(hub.name)"])
        // The device may have joined before, for instance if it was removed while it was out of reach. Then the homes' other hub
        // may have answered.
        let known = hubs.first { configuration.folder.hub($0.record.id)?.isAtHub(withKey: hub.key) == true }?.record.id
        let added = add(hub)
        let joining = HubJoining(hub: hub.id, name: hub.name, digits: digits)
        return (
            joining,
            { [self] in
                if let known { remove(known, notice: nil) }
                if let added { start(added) }
                // The list of homes is another one now.
                for session in sessions { session.restart() }
            }
        )
    }

    /// Ends a joining that failed. If the hub may have let the device in, it is tried like one that was joined.
    private func end(_ stored: StoredHub, because error: HubError) {
        guard error.code == .noHub else { return configuration.folder.remove(stored.id) }
        if let hub = add(stored) { start(hub) }
    }

    /// Returns the hub with a name or ID, or with a home of that name.
    func hub(named name: String) throws(HubError) -> JoinedHub {
        let named = hubs.filter { hub in
            hub.record.id.uuidString == name.uppercased() || hub.record.name == name
                || hub.view.copy.hub.account.homes.contains { FoldedName($0.name) == FoldedName(name) }
        }
        guard let hub = named.first, named.count == 1 else {
            let names = hubs.map { "“\($0.record.name)” (\($0.record.id.uuidString))" }.joined(separator: ", ")
            let found = named.isEmpty ? "No hub is called “\(name)”." : "Several hubs are called “\(name)”."
            throw HubError(HomeError(.notFound, names.isEmpty ? found : "\(found) This device belongs to \(names)."))
        }
        return hub
    }

    private func leave(_ name: String) async throws(HubError) -> @Sendable () -> Void {
        let hub = try hub(named: name)
        if hub.view.isNear, let device = device(at: hub) {
            // If the hub can't be told, the device stays in its list until somebody removes it there.
            _ = state.withLock { $0.leaving.insert(hub.record.id) }
            _ = try? await hub.call(HubMethods.removeDevice, RemoveDevice(id: device))
        }
        return { [self] in remove(hub.record.id, notice: nil) }
    }

    /// Returns the device's ID at a hub.
    private func device(at hub: JoinedHub) -> UUID? {
        guard let stored = configuration.folder.hub(hub.record.id) else { return nil }
        let key = stored.publicKey
        return stored.device ?? hub.view.copy.hub.account.devices.first { $0.key == key?.bytes }?.id
    }

    private func setPrimaryHome(_ home: UUID, by session: AgentSession) throws(HubError) {
        guard hubs.contains(where: { $0.view.copy.hub.homes[home] != nil }) else {
            throw HubError(HomeError(.notFound, "There is no such home."))
        }
        let isNews = state.withLock { state in
            guard state.settings.choices.primary != home else { return false }
            state.settings.choices.primary = home
            state.settings.choices.revision += 1
            return true
        }
        guard isNews else { return }
        try storeSettingsOrThrow()
        for other in sessions { other.choicesDidChange(by: session.id) }
    }

    private func parameters<Value: Decodable>(_ type: Value.Type, _ request: HubRequest) throws(HubError) -> Value {
        do {
            return try MessageJSON.decode(type, from: request.parameters)
        } catch {
            throw HubError(.malformedMessage, "The parameters of \(request.method) are invalid: \(error).")
        }
    }

    private func encoded(_ value: some Encodable) throws(HubError) -> Data {
        do {
            return try MessageJSON.encode(value)
        } catch {
            throw HubError(.hubFailure, "The agent could not write its reply: \(error).")
        }
    }
}

extension JoinedHub {
    /// What people see of the hub.
    fileprivate var description: AgentHubs.Hub {
        let view = view
        return AgentHubs.Hub(
            id: record.id,
            name: record.name,
            key: record.key,
            standing: view.standing,
            homes: view.copy.hub.account.homes.map(\.name),
            problem: view.isNear ? nil : view.error.reason,
            problemCode: view.isNear ? nil : view.error.code.rawValue,
            feed: view.feed?.description
        )
    }
}
