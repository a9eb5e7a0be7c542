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
            + connectionCallbacks(true)
    }

    func callbacksForReturn(_ hub: HubState) -> [Callback] {
        let (isLoaded, isStatusNews) = withObjects { ($0.isLoaded, $0.authorization != $0.announcedAuthorization) }
        // After a denial the homes are gone, which may be what the app has yet to hear.
        let homes: [Callback] = isLoaded || isDenied ? [{ self.announceHomes() }] : []
        return (isStatusNews ? [{ self.announceStatus() }] : []) + homes
    }

    func callbacks(for event: HubEvent, before: HubStateSummary, after: HubState) -> [Callback] {
        switch event {
        case .resumed(let present):
            resumptionCallbacks(present, before: before, after: after)
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
        case .reset, .discovered, .discoveryLost, .asked, .questionClosed:
            []
        }
    }

    func callbacks(forDenial error: HubError, before: HubStateSummary) -> [Callback] {
        let hadHomes = withObjects { objects in
            defer { objects.isLoaded = false }
            for id in before.homes.keys { objects.forget(id, before) }
            return objects.isLoaded
        }
        // Without a purpose to judge by nobody can allow it.
        let status: HMHomeManagerAuthorizationStatus =
            error.code == .purposeMissing ? [.determined, .restricted] : .determined
        return authorize(status) + (hadHomes ? [{ self.announceHomes() }] : [])
    }

    func callbacksForLoss() -> [Callback] { connectionCallbacks(false) }

    /// Tells the delegates of homes whose hub came or went.
    private func connectionCallbacks(_ isConnected: Bool) -> [Callback] {
        withObjects { objects in
            guard objects.isConnected != isConnected else { return [] }
            objects.isConnected = isConnected
            return objects.homes.objects.map(\.object).map { home in
                { home.delegate?.home(home, didUpdate: home.homeHubState) }
            }
        }
    }

    /// The app goes on where it was; a manager that was made meanwhile has yet to hear that the homes are there.
    private func resumptionCallbacks(_ present: LiveSnapshot, before: HubStateSummary, after: HubState) -> [Callback] {
        guard withObjects({ $0.isLoaded }) else { return callbacksForReset(before: before, after: after) }
        let reachability = reachabilityCallbacks(present.reachability, before: before, after: after)
        return connectionCallbacks(true) + reachability + valueCallbacks(present.values.updates)
    }

    private func forget(_ home: UUID, _ before: HubStateSummary) -> [Callback] {
        withObjects { $0.forget(home, before) }
        return []
    }

    // MARK: The manager

    /// Tells the manager's delegate what it was not there to hear: that the homes are there, and whether the app may use
    /// them. A manager that is made on another thread than that of its callbacks gets its delegate a moment late.
    func repeatUnheard() {
        link.queue.async { [weak self] in
            guard let self else { return }
            let (status, update) = withObjects { ($0.isStatusUnheard, $0.isUpdateUnheard) }
            if status { announceStatus() }
            if update { announceHomes() }
        }
    }

    private func announceHomes() {
        let manager = manager
        let delegate = manager?.delegate
        withObjects { $0.isUpdateUnheard = delegate == nil }
        if let manager { delegate?.homeManagerDidUpdateHomes(manager) }
    }

    private func announceStatus() {
        let manager = manager
        let delegate = manager?.delegate
        let status = withObjects { objects in
            objects.isStatusUnheard = delegate == nil
            if delegate != nil { objects.announcedAuthorization = objects.authorization }
            return objects.authorization
        }
        if let manager { delegate?.homeManager(manager, didUpdate: status) }
    }

    private func authorize(_ status: HMHomeManagerAuthorizationStatus) -> [Callback] {
        let isNews = withObjects { objects in
            objects.authorization = status
            return objects.announcedAuthorization != status
        }
        return isNews ? [{ self.announceStatus() }] : []
    }

    /// A call of the manager's delegate, if both are there when it is made.
    func tellManager(
        _ message: @escaping @Sendable (any HMHomeManagerDelegate, HMHomeManager) -> Void
    ) -> Callback {
        {
            guard let manager = self.manager, let delegate = manager.delegate else { return }
            message(delegate, manager)
        }
    }

    // MARK: The user's list of homes

    private func accountCallbacks(_ change: LogChange, before: HubStateSummary, after: HubState) -> [Callback] {
        var callbacks: [Callback] = []
        for id in before.account.homes.map(\.id) where after.account.home(id) == nil {
            let home = withObjects { objects in
                defer { objects.forget(id, before) }
                return before.homes[id] == nil ? objects.homes[id] : objects.home(id, self)
            }
            if let home { callbacks.append(tellManager { $0.homeManager($1, didRemove: home) }) }
        }
        for id in after.account.homes.map(\.id) where after.homes[id] != nil {
            let home = withObjects { $0.home(id, self) }
            guard let former = before.account.home(id) else {
                callbacks.append(tellManager { $0.homeManager($1, didAdd: home) })
                continue
            }
            if former.name != after.account.home(id)?.name {
                callbacks.append { home.delegate?.homeDidUpdateName(home) }
            }
        }
        if before.account.primaryHome?.id != after.account.primaryHome?.id {
            callbacks.append(tellManager { $0.homeManagerDidUpdatePrimaryHome($1) })
        }
        // Who made the change hears of it by the call's completion alone.
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
                return { accessory.tellValue(of: update.characteristic.iid) }
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
                if let message = troubleMessage(of: update, after, &objects) { callbacks.append(message) }
            }
            return callbacks
        }
    }

    /// Tells the home's delegate of an accessory that came into a lasting trouble: once, and of a bridge by itself.
    private func troubleMessage(
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

    /// Asks the hub anew for what it knows by other numbers.
    ///
    /// It is no delegate's business, so it is done in the background too.
    func renewal(of moved: CharacteristicSet) -> [Callback] {
        if !moved.isEmpty { link.queue.async { [link] in link.renew(moved) } }
        return []
    }

    /// Turns the messages about a characteristic's changes on or off. With the hub's agreement comes the value of that
    /// moment, which later changes are told of.
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
            // Another manager of this app goes on listening; the hub knows the app as one.
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
