import Foundation
import HAPCatalog
import HomeModel
import HubAPI

/// The objects that a manager has handed out, and its state that the hub doesn't store.
///
/// It is guarded by its ``HomeKitContext``. Methods that create or drop objects must also hold the lock of the hub's
/// state, so that objects and state agree.
struct ManagerObjects {
    /// Whether the app was told that the homes are loaded. Until then it sees no homes.
    var isLoaded = false
    /// Whether the hub, or the agent in its place, is connected.
    var isConnected = false
    /// The homes whose hubs the agent can't reach.
    var awayHomes: Set<UUID> = []
    /// Whether the manager had no delegate yet when the homes were loaded.
    var hasMissedUpdate = false
    /// Whether the manager had no delegate yet when the authorization status changed.
    var hasMissedStatus = false
    /// Whether the app may use the homes.
    var authorization: HMHomeManagerAuthorizationStatus = []
    /// The authorization status last reported to the delegate.
    var announcedAuthorization: HMHomeManagerAuthorizationStatus = []
    /// The characteristics with notifications enabled, until the app disables them or they are removed. They remain
    /// while their accessory is unreachable.
    var subscriptions = CharacteristicSet()
    /// The lasting problems of accessories that were reported to the app, until the accessories are reachable again.
    private var troubles: [UUID: HubError.Code] = [:]
    /// Accessories from a browser that are being added, by the identity that they will keep.
    var joining: [UUID: HMAccessory] = [:]

    /// Triggers that the app made and that are being added, by their identity.
    var joiningTriggers: [UUID: HMTrigger] = [:]

    private(set) var homes = ObjectTable<HMHome>()
    private(set) var rooms = ObjectTable<HMRoom>()
    private(set) var zones = ObjectTable<HMZone>()
    private(set) var accessories = ObjectTable<HMAccessory>()
    private(set) var serviceGroups = ObjectTable<HMServiceGroup>()
    private(set) var actionSets = ObjectTable<HMActionSet>()
    private(set) var triggers = ObjectTable<HMTrigger>()
    private(set) var users = ObjectTable<HMUser>()

    /// Returns whether the hub that stores a home is connected.
    func isHubConnected(_ home: UUID) -> Bool { isConnected && !awayHomes.contains(home) }

    // MARK: Objects

    mutating func home(_ id: UUID, _ context: HomeKitContext) -> HMHome {
        homes.object(id) { HMHome(HomeReference(context, home: id)) }
    }

    mutating func room(_ id: UUID, in home: UUID, _ context: HomeKitContext) -> HMRoom {
        rooms.object(id) { HMRoom(id, HomeReference(context, home: home)) }
    }

    mutating func zone(_ id: UUID, in home: UUID, _ context: HomeKitContext) -> HMZone {
        zones.object(id) { HMZone(id, HomeReference(context, home: home)) }
    }

    mutating func accessory(_ id: UUID, in home: UUID, _ context: HomeKitContext) -> HMAccessory {
        accessories.object(id) { HMAccessory(id, HomeReference(context, home: home)) }
    }

    mutating func serviceGroup(_ id: UUID, in home: UUID, _ context: HomeKitContext) -> HMServiceGroup {
        serviceGroups.object(id) { HMServiceGroup(id, HomeReference(context, home: home)) }
    }

    mutating func actionSet(_ id: UUID, in home: UUID, _ context: HomeKitContext) -> HMActionSet {
        actionSets.object(id) { HMActionSet(id, HomeReference(context, home: home)) }
    }

    /// Returns the object for a trigger: the one that the app made, if it added the trigger.
    mutating func trigger(_ record: TriggerRecord, in home: UUID, _ context: HomeKitContext) -> HMTrigger {
        if let joining = joiningTriggers.removeValue(forKey: record.id) {
            joining.join(HomeReference(context, home: home), as: record)
            triggers.insert(joining, record.id)
            return joining
        }
        return triggers.object(record.id) { HMTrigger.object(for: record, HomeReference(context, home: home)) }
    }

    mutating func user(_ id: UUID, in home: UUID, _ context: HomeKitContext) -> HMUser {
        users.object(id) { HMUser(id, HomeReference(context, home: home)) }
    }

    /// Returns the object for a service, or `nil` if its accessory lacks it.
    mutating func service(_ identity: ServiceIdentity, in home: Home, _ context: HomeKitContext) -> HMService? {
        guard let found = home.service(identity) else { return nil }
        let accessory = accessory(identity.accessory, in: home.id, context)
        return accessory.homeReference.map { accessory.service(found.shape.iid, $0) }
    }

    /// Makes the references to the objects weak after the manager is gone, so that only those the app retains remain.
    mutating func releaseObjects() {
        homes.releaseObjects()
        rooms.releaseObjects()
        zones.releaseObjects()
        accessories.releaseObjects()
        serviceGroups.releaseObjects()
        actionSets.releaseObjects()
        triggers.releaseObjects()
        users.releaseObjects()
    }

    // MARK: State changes

    /// Applies a change of a home to the objects.
    ///
    /// Objects of removed records keep their last state, a discovered accessory joins the home, and renumbered services
    /// keep their objects.
    ///
    /// - Returns: The subscriptions whose instance IDs changed.
    mutating func follow(
        _ change: Change,
        from old: Home,
        to new: Home,
        isMine: Bool,
        _ context: HomeKitContext
    ) -> CharacteristicSet {
        var removed: Set<UUID> = []
        var moved = CharacteristicSet()
        for effect in change.effects {
            switch effect {
            case .remove(let record):
                guard let id = record.uuid else { continue }
                freeze(id, of: record.kind, old)
                if record.kind == .accessory { removed.insert(id) }
            case .put(.accessory(let record)):
                if isMine, let accessory = joining.removeValue(forKey: record.id) {
                    accessory.join(HomeReference(context, home: new.id))
                    accessories.insert(accessory, record.id)
                } else {
                    moved.formUnion(renumber(record.id, from: old, to: new))
                }
            case .put:
                continue
            }
        }
        subscriptions.remove(accessories: removed, in: new.id)
        return moved
    }

    /// Applies the difference between the previous and the current state to the objects.
    ///
    /// - Returns: The subscriptions whose instance IDs changed.
    mutating func follow(from before: HubStateSummary, to hub: HubState) -> CharacteristicSet {
        var moved = CharacteristicSet()
        for (id, old) in before.homes {
            guard let new = hub.homes[id], hub.account.home(id) != nil else {
                forget(id, before)
                continue
            }
            for (id, room) in rooms.objects where room.homeReference.home == new.id && !new.hasRoom(id) {
                freeze(id, of: .room, old)
            }
            for (id, zone) in zones.objects where zone.homeReference.home == new.id && !new.zones.contains(id: id) {
                freeze(id, of: .zone, old)
            }
            for (id, group) in serviceGroups.objects
            where group.homeReference.home == new.id && !new.serviceGroups.contains(id: id) {
                freeze(id, of: .serviceGroup, old)
            }
            for (id, actionSet) in actionSets.objects
            where actionSet.homeReference.home == new.id && new.actionSet(id) == nil {
                freeze(id, of: .actionSet, old)
            }
            for (id, trigger) in triggers.objects
            where trigger.homeReference?.home == new.id && !new.triggers.contains(id: id) {
                freeze(id, of: .trigger, old)
            }
            for (id, user) in users.objects where user.homeReference.home == new.id && new.role(of: id) == nil {
                freeze(id, of: .user, old)
            }
            for (id, accessory) in accessories.objects where accessory.homeReference?.home == new.id {
                if new.accessories.contains(id: id) {
                    moved.formUnion(renumber(id, from: old, to: new))
                } else {
                    freeze(id, of: .accessory, old)
                }
            }
        }
        subscriptions.filterAccessories { home, accessory in
            hub.homes[home]?.accessories.contains(id: accessory) ?? false
        }
        return moved
    }

    /// Freezes a removed home's objects in their last state.
    mutating func forget(_ id: UUID, _ before: HubStateSummary) {
        guard let last = before.homes[id] else { return }
        homes.remove(id)?.freeze(last, name: before.account.home(id)?.name)
        for (id, room) in rooms.objects where room.homeReference.home == last.id { freeze(id, of: .room, last) }
        for (id, zone) in zones.objects where zone.homeReference.home == last.id { freeze(id, of: .zone, last) }
        for (id, group) in serviceGroups.objects where group.homeReference.home == last.id {
            freeze(id, of: .serviceGroup, last)
        }
        for (id, actionSet) in actionSets.objects where actionSet.homeReference.home == last.id {
            freeze(id, of: .actionSet, last)
        }
        for (id, trigger) in triggers.objects where trigger.homeReference?.home == last.id {
            freeze(id, of: .trigger, last)
        }
        for (id, user) in users.objects where user.homeReference.home == last.id { freeze(id, of: .user, last) }
        for (id, accessory) in accessories.objects where accessory.homeReference?.home == last.id {
            freeze(id, of: .accessory, last)
        }
        subscriptions.remove(home: id)
    }

    /// Records whether an accessory has a lasting problem.
    ///
    /// - Returns: The problem, if it wasn't reported to the app yet.
    mutating func newTrouble(_ update: ReachabilityUpdate) -> HubError.Code? {
        if update.isReachable { troubles[update.accessory] = nil }
        guard !update.isReachable, let code = update.code, code.needsUserAction else { return nil }
        return troubles.updateValue(code, forKey: update.accessory) == code ? nil : code
    }

    /// Renumbers an accessory's services and the subscriptions to them after its attributes were read again.
    ///
    /// - Returns: The subscriptions whose instance IDs changed.
    private mutating func renumber(_ id: UUID, from old: Home, to new: Home) -> CharacteristicSet {
        guard let before = old.accessories[id: id], let after = new.accessories[id: id],
            before.shape != after.shape || before.fixedIDs != after.fixedIDs
        else { return CharacteristicSet() }
        accessories[id]?.renumber(from: before, to: after, old, new)
        let known = subscriptions.iids(of: id, in: new.id)
        guard !known.isEmpty else { return CharacteristicSet() }
        let numbers = Dictionary(
            new.services(of: after).flatMap(\.characteristics).filter { $0.permissions.contains(.notify) }
                .map { (Home.characteristicID(of: $0.iid, in: after), $0.iid) },
            uniquingKeysWith: { first, _ in first }
        )
        subscriptions.renumber(id, in: new.id) { numbers[Home.characteristicID(of: $0, in: before)] }
        let moved = subscriptions.iids(of: id, in: new.id).subtracting(known)
        return CharacteristicSet(moved.map { CharacteristicReference(accessory: id, iid: $0) }, in: new.id)
    }

    private mutating func freeze(_ id: UUID, of kind: RecordKind, _ last: Home) {
        switch kind {
        case .room: rooms.remove(id)?.homeReference.freeze(last)
        case .zone: zones.remove(id)?.homeReference.freeze(last)
        case .accessory:
            troubles[id] = nil
            accessories.remove(id)?.homeReference?.freeze(last)
        case .serviceGroup: serviceGroups.remove(id)?.homeReference.freeze(last)
        case .actionSet: actionSets.remove(id)?.homeReference.freeze(last)
        case .trigger: triggers.remove(id)?.homeReference?.freeze(last)
        case .user: users.remove(id)?.homeReference.freeze(last)
        default: break
        }
    }
}

extension HubState {
    /// Whether an accessory of a home can be reached.
    func isReachable(_ accessory: UUID) -> Bool {
        reachability[accessory]?.isReachable ?? false
    }
}
