import Foundation
import HAP

/// What a hub owes the other hubs of its homes: that each accessory holds their own pairings, and no longer holds those of
/// hubs that left. It is a value without I/O.
///
/// An accessory's own list of pairings is what counts, so nothing depends on what was stored before an interruption. The
/// value remembers what is still owed where: accessories may be off for months.
struct ControllerDuties: Hashable, Sendable, Codable {
    /// What to ask an accessory.
    enum Step: Hashable, Sendable {
        /// Add another hub's pairing.
        case add(Pairing)
        /// Remove the pairing of a hub that left, or one whose key is another.
        case remove(PairingID)
    }

    /// The pairing of a hub that left.
    struct Departed: Hashable, Sendable, Codable {
        /// The hub as the accessories know it.
        var controller: HubController
        /// The servers that may still hold it.
        var owed: Set<DeviceID>
    }

    /// The maximum number of pairings of other hubs, for homes and former hubs together.
    static let maximumControllers = 256

    /// The other hubs, by home.
    private(set) var controllers: [HubController] = []
    /// The hubs that left, until no accessory holds their pairings.
    private(set) var departed: [Departed] = []
    /// The servers that are known to hold each pairing.
    private(set) var held: [String: Set<DeviceID>] = [:]
    /// The servers that had no room for another hub's pairing when they were last asked.
    private(set) var full: Set<DeviceID> = []

    /// Whether there is or was another hub.
    var isEmpty: Bool { controllers.isEmpty && departed.isEmpty }

    // MARK: Hubs

    /// Adds another hub's controller of a home.
    ///
    /// - Parameter members: The home's servers, which may hold the pairing that this one replaces.
    /// - Returns: Whether anything has changed. `false` too if there are as many as possible.
    mutating func add(_ controller: HubController, members: Set<DeviceID>) -> Bool {
        guard !controllers.contains(controller), controllers.count + departed.count < Self.maximumControllers else {
            return false
        }
        let former = controllers.filter { $0.hub == controller.hub && $0.home == controller.home }
        for old in former { depart(old, from: members) }
        // A hub that came back owes nothing any more.
        departed.removeAll { $0.controller.pairingID == controller.pairingID }
        controllers.append(controller)
        return true
    }

    /// Records that a hub left, or is lost.
    ///
    /// - Parameter members: The servers of each home.
    /// - Returns: Whether anything has changed.
    mutating func remove(hub: UUID, members: [UUID: Set<DeviceID>]) -> Bool {
        let leaving = controllers.filter { $0.hub == hub }
        for controller in leaving { depart(controller, from: members[controller.home] ?? []) }
        return !leaving.isEmpty
    }

    private mutating func depart(_ controller: HubController, from members: Set<DeviceID>) {
        controllers.removeAll { $0 == controller }
        // Also where nothing was recorded: the data may be a backup's, or another hub may have added it.
        let owed = members.union(held.removeValue(forKey: controller.pairingID.description) ?? [])
        if !owed.isEmpty { departed.append(Departed(controller: controller, owed: owed)) }
        full.subtract(owed)
    }

    // MARK: Accessories

    /// Returns whether an accessory's pairings matter: it must be asked for them when it is connected.
    func concerns(_ server: DeviceID, in home: UUID) -> Bool {
        controllers.contains { $0.home == home } || departed.contains { $0.owed.contains(server) }
    }

    /// Handles the list of the pairings that a server holds.
    ///
    /// - Returns: What to ask it for, in order: removals first, because they make room.
    mutating func receive(_ present: [Pairing], from server: DeviceID, in home: UUID) -> [Step] {
        var removals: [Step] = []
        var additions: [Step] = []
        for index in departed.indices where departed[index].owed.contains(server) {
            let id = departed[index].controller.pairingID
            if present.contains(where: { $0.controllerID == id }) {
                removals.append(.remove(id))
            } else {
                departed[index].owed.remove(server)
            }
        }
        departed.removeAll(where: \.owed.isEmpty)
        for controller in controllers where controller.home == home {
            let known = present.first { $0.controllerID == controller.pairingID }
            let isHeld = known == controller.pairing
            setHeld(isHeld, controller.pairingID, by: server)
            guard !isHeld else { continue }
            if let known, known.publicKey != controller.publicKey { removals.append(.remove(known.controllerID)) }
            additions.append(.add(controller.pairing))
        }
        if additions.isEmpty { full.remove(server) }
        return removals + additions
    }

    /// Records that a server did what it was asked for.
    mutating func did(_ step: Step, at server: DeviceID) {
        switch step {
        case .add(let pairing):
            full.remove(server)
            setHeld(controllers.contains { $0.pairing == pairing }, pairing.controllerID, by: server)
        case .remove(let id):
            for index in departed.indices where departed[index].controller.pairingID == id {
                departed[index].owed.remove(server)
            }
            departed.removeAll(where: \.owed.isEmpty)
        }
    }

    /// Records that a server has no room for another hub's pairing.
    mutating func setFull(_ server: DeviceID) { full.insert(server) }

    /// Returns the pairings that a server must lose before the home's own, because it would stay paired otherwise.
    func removals(ofAllIn present: [Pairing]) -> [PairingID] {
        let known = Set(controllers.map(\.pairingID) + departed.map(\.controller.pairingID))
        return present.map(\.controllerID).filter(known.contains)
    }

    /// Forgets a server that is in no home any more.
    mutating func forget(_ server: DeviceID) {
        full.remove(server)
        for id in held.keys { held[id]?.remove(server) }
        held = held.filter { !$0.value.isEmpty }
        for index in departed.indices { departed[index].owed.remove(server) }
        departed.removeAll(where: \.owed.isEmpty)
    }

    /// Returns the servers that don't hold the pairings of all other hubs, or hold one of a hub that left.
    ///
    /// - Parameter members: The home's servers.
    func owed(by members: Set<DeviceID>, in home: UUID) -> Set<DeviceID> {
        members.filter { server in
            controllers.contains {
                $0.home == home && held[$0.pairingID.description]?.contains(server) != true
            } || departed.contains { $0.owed.contains(server) }
        }
    }

    private mutating func setHeld(_ isHeld: Bool, _ id: PairingID, by server: DeviceID) {
        if isHeld {
            held[id.description, default: []].insert(server)
        } else {
            held[id.description]?.remove(server)
            if held[id.description]?.isEmpty == true { held[id.description] = nil }
        }
    }
}
