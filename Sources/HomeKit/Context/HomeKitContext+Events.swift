import Foundation
import HomeModel
import HubAPI

extension HomeKitContext: HubSubscriber {
    var isSearching: Bool { false }

    var subscriptions: CharacteristicSet { withObjects { $0.subscriptions } }

    func isSubscribed(to characteristic: HubState.ValueKey) -> Bool {
        withObjects { $0.subscriptions.contains(characteristic) }
    }

    func callbacksForReset(before: HubStateSummary, after: HubState) -> [Callback] {
        let moved = withObjects { objects in
            objects.isLoaded = true
            for update in after.reachability.values { _ = objects.newTrouble(update) }
            return objects.follow(from: before, to: after)
        }
        return renewal(of: moved) + authorize([.determined, .authorized]) + [{ self.announceHomes() }]
            + connectionCallbacks(after)
    }

    func callbacksForReturn(_ hub: HubState) -> [Callback] {
        let (isLoaded, hasNewStatus) = withObjects { ($0.isLoaded, $0.authorization != $0.announcedAuthorization) }
        // After a denial the homes are gone, and the app may not know that yet.
        let homes: [Callback] = isLoaded || isDenied ? [{ self.announceHomes() }] : []
        return (hasNewStatus ? [{ self.announceStatus() }] : []) + homes
    }

    func callbacks(for event: HubEvent, before: HubStateSummary, after: HubState) -> [Callback] {
        switch event {
        case .resumed(let snapshot):
            resumptionCallbacks(snapshot, before: before, after: after)
        case .change(let change):
            if let id = change.home {
                homeCallbacks(change, of: id, before: before, after: after)
            } else {
                accountCallbacks(change, before: before, after: after)
            }
        case .homeGone(let id):
            forget(id, before)
        case .values(let updates):
            valueCallbacks(updates)
        case .reachability(let updates):
            reachabilityCallbacks(updates, before: before, after: after)
        case .runs(let updates):
            runCallbacks(updates, before: before, after: after)
        case .standing:
            // At the start of a connection, the reset or the resumption that follows notifies of it.
            withObjects({ $0.isConnected }) ? connectionCallbacks(after) : []
        case .journal, .reset, .discovered, .discoveryLost, .unconfigured, .unconfiguredLost, .asked, .questionClosed,
            .setupProgress, .deviceMessage, .feed, .media:
            []
        }
    }

    func callbacks(forDenial error: HubError, before: HubStateSummary) -> [Callback] {
        let hadHomes = withObjects { objects in
            defer { objects.isLoaded = false }
            for id in before.homes.keys { objects.forget(id, before) }
            return objects.isLoaded
        }
        // Without a purpose there is nothing to base a decision on, so the user can't allow access.
        let status: HMHomeManagerAuthorizationStatus =
            error.code == .purposeMissing ? [.determined, .restricted] : .determined
        return authorize(status) + (hadHomes ? [{ self.announceHomes() }] : [])
    }

    func callbacksForLoss() -> [Callback] { connectionCallbacks { $0.isConnected = false } }

    /// Notifies the delegates of homes whose hub has connected or disconnected. Behind an agent, the connection alone doesn't
    /// show that: the agent says which hubs are out of reach.
    private func connectionCallbacks(_ change: (inout ManagerObjects) -> Void) -> [Callback] {
        withObjects { objects in
            let homes = objects.homes.objects.map { (id: $0.id, home: $0.object) }
            let before = homes.map { objects.isHubConnected($0.id) }
            change(&objects)
            return zip(homes, before).compactMap { entry, wasConnected in
                guard objects.isHubConnected(entry.id) != wasConnected else { return nil }
                let home = entry.home
                return { home.delegate?.home(home, didUpdate: home.homeHubState) }
            }
        }
    }

    private func connectionCallbacks(_ hub: HubState) -> [Callback] {
        connectionCallbacks { objects in
            objects.isConnected = true
            objects.awayHomes = hub.awayHomes
        }
    }

    /// Continues where the connection left off. A manager created in the meantime still needs its homes announced.
    private func resumptionCallbacks(_ snapshot: LiveSnapshot, before: HubStateSummary, after: HubState) -> [Callback] {
        guard withObjects({ $0.isLoaded }) else { return callbacksForReset(before: before, after: after) }
        let reachability = reachabilityCallbacks(snapshot.reachability, before: before, after: after)
        return connectionCallbacks(after) + reachability + valueCallbacks(snapshot.values.updates)
    }

    private func forget(_ home: UUID, _ before: HubStateSummary) -> [Callback] {
        withObjects { $0.forget(home, before) }
        return []
    }

    // MARK: The manager

    /// Replays the callbacks that the delegate missed before it was set: that the homes are loaded, and the
    /// authorization status. The delegate of a manager created outside its callback queue is set a moment later.
    func replayMissedCallbacks() {
        link.queue.async { [weak self] in
            guard let self else { return }
            let (status, update) = withObjects { ($0.hasMissedStatus, $0.hasMissedUpdate) }
            if status { announceStatus() }
            if update { announceHomes() }
        }
    }

    private func announceHomes() {
        let manager = manager
        let delegate = manager?.delegate
        withObjects { $0.hasMissedUpdate = delegate == nil }
        if let manager { delegate?.homeManagerDidUpdateHomes(manager) }
    }

    private func announceStatus() {
        let manager = manager
        let delegate = manager?.delegate
        let status = withObjects { objects in
            objects.hasMissedStatus = delegate == nil
            if delegate != nil { objects.announcedAuthorization = objects.authorization }
            return objects.authorization
        }
        if let manager { delegate?.homeManager(manager, didUpdate: status) }
    }

    private func authorize(_ status: HMHomeManagerAuthorizationStatus) -> [Callback] {
        let isNew = withObjects { objects in
            objects.authorization = status
            return objects.announcedAuthorization != status
        }
        return isNew ? [{ self.announceStatus() }] : []
    }

    /// Creates a callback to the manager's delegate. It does nothing if either no longer exists when it runs.
    func notifyManager(
        _ message: @escaping @Sendable (any HMHomeManagerDelegate, HMHomeManager) -> Void
    ) -> Callback {
        {
            guard let manager = self.manager, let delegate = manager.delegate else { return }
            message(delegate, manager)
        }
    }

    // MARK: The list of homes

    private func accountCallbacks(_ change: LogChange, before: HubStateSummary, after: HubState) -> [Callback] {
        var callbacks: [Callback] = []
        for id in before.account.homes.map(\.id) where after.account.home(id) == nil {
            let home = withObjects { objects in
                defer { objects.forget(id, before) }
                return before.homes[id] == nil ? objects.homes[id] : objects.home(id, self)
            }
            if let home { callbacks.append(notifyManager { $0.homeManager($1, didRemove: home) }) }
        }
        for id in after.account.homes.map(\.id) where after.homes[id] != nil {
            let home = withObjects { $0.home(id, self) }
            guard let previous = before.account.home(id) else {
                callbacks.append(notifyManager { $0.homeManager($1, didAdd: home) })
                continue
            }
            if previous.name != after.account.home(id)?.name {
                callbacks.append { home.delegate?.homeDidUpdateName(home) }
            }
        }
        if before.account.primaryHome?.id != after.account.primaryHome?.id {
            callbacks.append(notifyManager { $0.homeManagerDidUpdatePrimaryHome($1) })
        }
        // The client that made the change is notified only by the call's completion handler.
        return change.isMine ? [] : callbacks
    }

    // MARK: Values and reachability

    private func valueCallbacks(_ updates: [ValueUpdate]) -> [Callback] {
        withObjects { objects in
            updates.compactMap { update in
                let key = HubState.ValueKey(home: update.home, characteristic: update.characteristic)
                guard objects.subscriptions.contains(key),
                    let accessory = objects.accessories[update.characteristic.accessory]
                else { return nil }
                return { accessory.notifyValue(of: update.characteristic.iid) }
            }
        }
    }

    private func reachabilityCallbacks(
        _ updates: [ReachabilityUpdate],
        before: HubStateSummary,
        after: HubState
    ) -> [Callback] {
        withObjects { objects in
            var callbacks: [Callback] = []
            for update in updates {
                let wasReachable = before.reachability[update.accessory]?.isReachable ?? false
                if wasReachable != update.isReachable, let accessory = objects.accessories[update.accessory] {
                    callbacks.append { accessory.delegate?.accessoryDidUpdateReachability(accessory) }
                }
                if let callback = problemCallback(of: update, after, &objects) { callbacks.append(callback) }
            }
            return callbacks
        }
    }

    /// Reports triggers that fired.
    private func runCallbacks(_ updates: [RunUpdate], before: HubStateSummary, after: HubState) -> [Callback] {
        withObjects { objects in
            updates.compactMap { update in
                guard update.last != before.runs[update.id]?.last, let home = objects.homes[update.home],
                    let record = after.homes[update.home]?.triggers[id: update.id]
                else { return nil }
                let trigger = objects.trigger(record, in: update.home, self)
                return { home.delegate?.home(home, didUpdate: trigger) }
            }
        }
    }

    /// Creates a callback that reports a new lasting problem of an accessory. A bridge is reported itself, in place of
    /// its bridged accessories.
    private func problemCallback(
        of update: ReachabilityUpdate,
        _ after: HubState,
        _ objects: inout ManagerObjects
    ) -> Callback? {
        guard let trouble = objects.newTrouble(update), let home = objects.homes[update.home],
            let record = after.homes[update.home]?.accessories[id: update.accessory], record.bridge == nil
        else { return nil }
        let accessory = objects.accessory(record.id, in: update.home, self)
        let error = HMError(HubError(trouble, update.cause ?? "", trouble: update.trouble))
        return { home.delegate?.home(home, didEncounterError: error, for: accessory) }
    }

    // MARK: Notifications

    /// Subscribes again to characteristics whose instance IDs changed.
    ///
    /// The delegate isn't involved, so this also happens in the background.
    func renewal(of moved: CharacteristicSet) -> [Callback] {
        if !moved.isEmpty { link.queue.async { [link] in link.renew(moved) } }
        return []
    }

    /// Enables or disables notifications of a characteristic's changes. The hub's reply includes the current value,
    /// against which later changes are reported.
    func setNotified(
        _ key: HubState.ValueKey,
        _ isEnabled: Bool,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let finish: @Sendable (Result<Void, HMError>) -> Void = { [self] outcome in
            if case .success = outcome {
                withObjects { objects in
                    if isEnabled { objects.subscriptions.insert(key) } else { objects.subscriptions.remove(key) }
                }
            }
            completion(outcome.failure)
        }
        if !isEnabled, link.others(than: self, contain: { $0.isSubscribed(to: key) }) {
            // Another manager of this app is still subscribed, and the hub treats the app as one client.
            link.queue.async { finish(.success(())) }
            return
        }
        let parameters = NotifyCharacteristics(
            home: key.home,
            characteristics: [key.characteristic],
            enabled: isEnabled
        )
        link.exchange(HubMethods.notify, parameters, in: key.home) { finish($0.outcome) }
    }
}
