import Foundation
import HomeIdentity
import HomeModel
import HomeStore
import HubAPI
import Logging
import Replication

/// What people ask of the hubs.
extension PairDesk {
    nonisolated func registerMethods(in router: inout MethodRouter) {
        router.on(HubMethods.inviteHub) { (_, session) async throws(HubError) in
            .deferred { () async throws(HubError) in try await self.invitations.inviteHub(by: session) }
        }
        router.on(HubMethods.hubs) { (_, _) async throws(HubError) in
            .deferred { () async throws(HubError) in await self.status() }
        }
        router.on(HubMethods.leaveHub) { (parameters, session) async throws(HubError) in
            let origin = session.origin
            return .deferred { () async throws(HubError) in
                try await self.leave(isForced: parameters.isForced == true, by: origin)
                return Empty()
            }
        }
        router.on(HubMethods.removeHub) { (parameters, session) async throws(HubError) in
            let origin = session.origin
            return .deferred { () async throws(HubError) in
                try await self.remove(parameters.hub, by: origin)
                return await self.status()
            }
        }
        router.on(HubMethods.goOnAlone) { (_, session) async throws(HubError) in
            let (origin, caller) = (session.origin, session.caller)
            return .deferred { () async throws(HubError) in
                try await self.goOnAlone(by: origin, caller)
                return await self.status()
            }
        }
    }

    private func checkIsPaired() throws(HubError) {
        guard hubTable.isPaired else { throw HubError(.notAllowedNow, "This hub is the only one of its homes.") }
    }

    // MARK: Leaving

    /// Leaves the homes to the other hub, once that has everything.
    private func leave(isForced: Bool, by origin: Origin) async throws(HubError) {
        try checkIsPaired()
        let other = hubTable.otherName
        guard isConnected() else {
            let reason =
                "“\(other)” can't be reached, so this hub can't leave the homes to it. If this hub is the one that goes on, "
                + "remove the other one: hearth hub remove NAME"
            throw HubError(.notAllowedNow, reason)
        }
        let pairings = await pairings()
        if !isForced, !pairings.isEmpty {
            let names = pairings.map { "“\($0.accessory)”" }.joined(separator: ", ")
            let reason =
                "“\(other)” has no pairing with \(names) yet, so nobody would control that. See “hearth hub list”. To leave "
                + "nevertheless: hearth hub leave --force"
            throw HubError(.notAllowedNow, reason)
        }
        try await handOver()
        do throws(HubError) {
            try await hubTable.remove(owner.device, by: identity)
        } catch {
            line.change(to: role)
            throw error
        }
        let list = hubTable.list.map { Data($0.bytes) }
        let end = ContinuousClock.now + PairTimes.handover
        while toldList != list, isConnected(), ContinuousClock.now < end { try? await Task.sleep(for: PairTimes.look) }
        tellJournal(.left(hub: hubTable.ownName), by: origin)
        log.notice("This hub has left its homes to the other one.")
    }

    /// Waits until the other hub has everything.
    private func handOver() async throws(HubError) {
        switch role {
        case .following: return
        case .withoutLeader: throw HomeDatabase.noLeader
        case .leading: break
        }
        // What comes now waits, and fails.
        line.change(to: .withoutLeader)
        let end = ContinuousClock.now + PairTimes.handover
        while ContinuousClock.now < end {
            let places = await replicator?.places
            if let places, places.hub == places.last, places.last == places.committed { return }
            try? await Task.sleep(for: PairTimes.look)
        }
        line.change(to: role)
        let reason = "“\(hubTable.otherName)” doesn't have all changes yet. Try again later."
        throw HubError(.notAllowedNow, reason)
    }

    // MARK: Removing

    private func remove(_ name: String, by origin: Origin) async throws(HubError) {
        if try await forget(name) { return }
        try checkIsPaired()
        guard let other = hubTable.others.first else { return }
        let otherName = hubTable.otherName
        guard FoldedName(name) == FoldedName(otherName) || other.id.begins(with: name) else {
            guard FoldedName(name) == FoldedName(hubTable.ownName) || owner.device.begins(with: name) else {
                throw HubError(HomeError(.notFound, "No hub is called “\(name)”. See “hearth hub list”."))
            }
            throw HubError(.notAllowedNow, "“\(name)” is this hub. To let it leave: hearth hub leave")
        }
        switch role {
        case .leading: break
        case .following:
            let reason =
                "“\(otherName)” leads, so it runs. Run “hearth hub leave” on its machine; or stop it, and try again in some "
                + "seconds."
            throw HubError(.notAllowedNow, reason)
        case .withoutLeader:
            let reason =
                "This hub reaches neither “\(otherName)” nor a relay that votes, so it may lack changes. If “\(otherName)” is "
                + "lost: hearth hub alone"
            throw HubError(.noLeader, reason)
        }
        try await hubTable.remove(other.id, by: identity)
        await waitForEnd()
        tellJournal(.removed(hub: otherName), by: origin)
        log.notice("The other hub was removed.", metadata: ["hub": "\(other.id)"])
    }

    /// Forgets a hub that was removed before and will never be told.
    ///
    /// - Returns: Whether there was one with the name.
    private func forget(_ name: String) async throws(HubError) -> Bool {
        let others = hubTable.others
        let former = hubTable.formerHubs.first { former in
            FoldedName(name) == FoldedName(former.name) || former.member.id.begins(with: name)
        }
        let isOther = others.contains { $0.id.begins(with: name) } || FoldedName(name) == FoldedName(hubTable.otherName)
        guard let former, others.isEmpty || !isOther else { return false }
        do throws(StoreError) {
            try await hubTable.forget(former)
        } catch {
            throw HubError(.storeFailure, "The removed hub can't be forgotten: \(error)")
        }
        return true
    }

    /// Goes on alone, with what this hub has, in new lineages.
    private func goOnAlone(by origin: Origin, _ caller: Caller) async throws(HubError) {
        try checkIsPaired()
        guard let other = hubTable.others.first else { return }
        let otherName = hubTable.otherName
        guard case .withoutLeader = role, !isConnected() else {
            let reason = "This hub reaches “\(otherName)” or a relay that votes, so the other hub can be removed"
            throw HubError(.notAllowedNow, "\(reason): hearth hub remove NAME")
        }
        guard ContinuousClock.now - since.instant >= PairTimes.alone else {
            let seconds = PairTimes.alone / .seconds(1)
            let reason = "This hub still looks for “\(otherName)” and for a relay that votes."
            throw HubError(.notAllowedNow, "\(reason) Try again in \(Int(seconds)) seconds.")
        }
        await replicator?.stop()
        do {
            await database.receive(try await HomeHub.applyRest(of: store))
            try await store.renewLineages(by: caller, now: now())
            try await database.reload()
        } catch {
            throw HubError(.storeFailure, "The hub can't go on alone: \(error)")
        }
        try await hubTable.remove(other.id, by: identity, telling: false)
        await waitForEnd()
        tellJournal(.alone(former: otherName), by: origin)
        log.notice("This hub goes on alone.", metadata: ["hub": "\(other.id)"])
    }
}

extension UUID {
    /// Returns whether its text begins with some characters, at least four.
    fileprivate func begins(with text: String) -> Bool {
        text.count >= 4 && uuidString.lowercased().hasPrefix(text.lowercased())
    }
}
