import Foundation
import HAPCatalog
import HomeModel
import HubAPI

/// The objects that a manager has handed out, and what it keeps beside the hub's state.
///
/// Guarded by its ``HomeKitContext``; what makes or drops objects runs with the hub's state locked too, so that objects
/// and state agree.
struct ManagerObjects {
    /// Whether the app was told that the homes are there; before that it sees none.
    var isLoaded = false
    /// Whether the hub answers.
    var isConnected = false
    /// Whether nobody heard that the homes are there, because the manager had no delegate yet.
    var isUpdateUnheard = false
    /// Whether nobody heard of the authorization, because the manager had no delegate yet.
    var isStatusUnheard = false
    /// Whether the app may use the homes.
    var authorization: HMHomeManagerAuthorizationStatus = []
    /// The authorization that the delegate was told of last.
    var announcedAuthorization: HMHomeManagerAuthorizationStatus = []
    /// The characteristics of whose changes the app asked to hear: until it takes that back, or until they are gone for good.
    /// Whether it hears of them at the moment is another matter.
    var subscriptions = CharacteristicSet()
    /// The lasting troubles of accessories that the app knows of, until they can be reached again.
    private var troubles: [UUID: HubError.Code] = [:]
    /// Accessories from a browser that are being added, by the identity that they will keep.
    var joining: [UUID: HMAccessory] = [:]

    private(set) var homes = ObjectTable<HMHome>()
    private(set) var rooms = ObjectTable<HMRoom>()
    private(set) var zones = ObjectTable<HMZone>()
    private(set) var accessories = ObjectTable<HMAccessory>()
    private(set) var serviceGroups = ObjectTable<HMServiceGroup>()
    private(set) var users = ObjectTable<HMUser>()

    // MARK: Handing out

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

    mutating func user(_ id: UUID, in home: UUID, _ context: HomeKitContext) -> HMUser {
        users.object(id) { HMUser(id, HomeReference(context, home: home)) }
    }

    /// The object of a service; nil while its accessory lacks it.
    mutating func service(_ identity: ServiceIdentity, in home: Home, _ context: HomeKitContext) -> HMService? {
        guard let found = home.service(identity) else { return nil }
        let accessory = accessory(identity.accessory, in: home.id, context)
        return accessory.view.map { accessory.service(found.shape.iid, $0) }
    }

    /// Makes objects weak: the manager is gone, and what the app keeps of them is what is left.
    mutating func letGo() {
        homes.letGo()
        rooms.letGo()
        zones.letGo()
        accessories.letGo()
        serviceGroups.letGo()
        users.letGo()
    }

    // MARK: Following the state

    /// Lets the objects follow a change of their home: those of removed records stay as they were, an accessory that the
    /// browser found becomes the home's, services that were renumbered stay the same objects.
    ///
    /// - Returns: The subscriptions that the hub knows by other numbers.
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

    /// Lets the objects follow from what was known before to what is known now, whatever happened in between.
    ///
    /// - Returns: The subscriptions that the hub knows by other numbers.
    mutating func follow(from before: HubStateSummary, to hub: HubState) -> CharacteristicSet {
        var moved = CharacteristicSet()
        for (id, old) in before.homes {
            guard let new = hub.homes[id], hub.account.home(id) != nil else {
                forget(id, before)
                continue
            }
            for (id, room) in rooms.objects where room.view.home == new.id && !new.hasRoom(id) {
                freeze(id, of: .room, old)
            }
            for (id, zone) in zones.objects where zone.view.home == new.id && !new.zones.contains(id: id) {
                freeze(id, of: .zone, old)
            }
            for (id, group) in serviceGroups.objects
            where group.view.home == new.id && !new.serviceGroups.contains(id: id) {
                freeze(id, of: .serviceGroup, old)
            }
            for (id, user) in users.objects where user.view.home == new.id && new.role(of: id) == nil {
                freeze(id, of: .user, old)
            }
            for (id, accessory) in accessories.objects where accessory.view?.home == new.id {
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

    /// Keeps a home's objects as they were before: the home is gone.
    mutating func forget(_ id: UUID, _ before: HubStateSummary) {
        guard let last = before.homes[id] else { return }
        homes.remove(id)?.freeze(last, name: before.account.home(id)?.name)
        for (id, room) in rooms.objects where room.view.home == last.id { freeze(id, of: .room, last) }
        for (id, zone) in zones.objects where zone.view.home == last.id { freeze(id, of: .zone, last) }
        for (id, group) in serviceGroups.objects where group.view.home == last.id {
            freeze(id, of: .serviceGroup, last)
        }
        for (id, user) in users.objects where user.view.home == last.id { freeze(id, of: .user, last) }
        for (id, accessory) in accessories.objects where accessory.view?.home == last.id {
            freeze(id, of: .accessory, last)
        }
        subscriptions.remove(home: id)
    }

    /// Notes whether an accessory is in a lasting trouble.
    ///
    /// - Returns: The trouble, if the app does not know of it.
    mutating func newTrouble(_ update: ReachabilityUpdate) -> HubError.Code? {
        if update.isReachable { troubles[update.accessory] = nil }
        guard !update.isReachable, let code = update.code, code.isLastingTrouble else { return nil }
        return troubles.updateValue(code, forKey: update.accessory) == code ? nil : code
    }

    /// Lets an accessory's services and the subscriptions to them follow where they were read anew.
    ///
    /// - Returns: The subscriptions that have other numbers now.
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
        case .room: rooms.remove(id)?.view.freeze(last)
        case .zone: zones.remove(id)?.view.freeze(last)
        case .accessory:
            troubles[id] = nil
            accessories.remove(id)?.view?.freeze(last)
        case .serviceGroup: serviceGroups.remove(id)?.view.freeze(last)
        case .user: users.remove(id)?.view.freeze(last)
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
