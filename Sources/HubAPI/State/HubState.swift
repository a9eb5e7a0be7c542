package import Foundation
package import HomeModel

/// What a client knows: the user's homes, the known values and who can be reached, kept up by the hub's events.
///
/// Every client keeps one of these, whatever it shows: Apple-shaped objects, a command's output, a page.
package struct HubState: Sendable {
    /// Names a characteristic among all homes.
    package struct ValueKey: Hashable, Sendable {
        /// The home.
        package var home: UUID
        /// The characteristic.
        package var characteristic: CharacteristicReference

        /// Makes a key.
        package init(home: UUID, characteristic: CharacteristicReference) {
            self.home = home
            self.characteristic = characteristic
        }
    }

    /// The user's own log: the homes and their names. Who the user is in a home, ``HomeModel/Home/viewer`` says.
    package private(set) var account: Account
    /// The homes by id. A home shows in lists only while ``account`` has it.
    package private(set) var homes: [UUID: Home]
    /// The last known values.
    package private(set) var values: KnownValues
    /// What is known of each accessory's reachability, by accessory.
    package private(set) var reachability: [UUID: ReachabilityUpdate]
    /// Accessories that are in no home, by the identity under which the browser shows them.
    package private(set) var discovered: [UUID: DiscoveredAccessory]
    /// Questions that wait for an answer, oldest first.
    package private(set) var questions: [Question]

    /// How far the logs were followed; nil until the hub has told them.
    package private(set) var seen: LogCursors?

    /// Stands for the user, of whom a client knows no ID but those in homes.
    private static let someUser = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// The state of a client that has heard nothing yet.
    package init() {
        account = Account(user: Self.someUser)
        homes = [:]
        values = KnownValues()
        reachability = [:]
        discovered = [:]
        questions = []
    }

    /// Takes in an event. Total: an event that makes no sense changes nothing.
    package mutating func apply(_ event: HubEvent) {
        switch event {
        case .reset(let snapshot):
            seen = LogCursors(snapshot)
            account = Account(user: Self.someUser, records: snapshot.account.records)
            homes = Dictionary(
                uniqueKeysWithValues: snapshot.homes.map { id, log in
                    var home = Home(id: id, records: log.records)
                    home.viewer = log.user
                    return (id, home)
                }
            )
            values = snapshot.values
            replace(snapshot.reachability)
        case .resumed(let present):
            // A hub that just started has few values yet. What it doesn't know is still the last known value.
            values.merge(present.values)
            replace(present.reachability)
        case .change(let change):
            seen?.follow(change)
            apply(change)
        case .homeGone(let id):
            seen?.homes[id] = nil
            homes[id] = nil
            values.remove(home: id)
            reachability = reachability.filter { $0.value.home != id }
        case .values(let updates):
            apply(updates)
        case .reachability(let updates):
            apply(updates)
        case .discovered(let accessory):
            discovered[accessory.id] = accessory
        case .discoveryLost(let id):
            discovered[id] = nil
        case .asked(let question):
            questions.removeAll { $0.id == question.id }
            questions.append(question)
        case .questionClosed(let id):
            questions.removeAll { $0.id == id }
        }
    }

    /// Takes in the outcomes of the client's own read or write: no event repeats them to it.
    package mutating func apply(_ results: CharacteristicResults, in home: UUID) {
        for outcome in results.outcomes where outcome.error == nil {
            guard let value = outcome.value else { continue }
            values[outcome.characteristic, in: home] = value
        }
    }

    /// Forgets what a browser found, when it starts or stops.
    package mutating func clearDiscovered() {
        discovered = [:]
    }

    /// Whether all of these entries are in the state, or in homes that are not to be seen any more: a reply follows them.
    package func shows(_ places: [LogPlace]) -> Bool {
        guard let seen else { return false }
        return places.allSatisfy { place in
            guard let home = place.home else { return seen.account.hasReached(place) }
            // A home that is in no list any more has nothing to show; one that is there is yet to be told.
            return seen.homes[home].map { $0.hasReached(place) } ?? (account.home(home) == nil)
        }
    }

    private mutating func replace(_ updates: [ReachabilityUpdate]) {
        reachability = [:]
        apply(updates)
    }

    private mutating func apply(_ change: LogChange) {
        guard let id = change.home else {
            account.apply(change.change)
            return
        }
        var home = homes.removeValue(forKey: id) ?? Home(id: id, records: [])
        home.apply(change.change)
        if let user = change.user { home.viewer = user }
        homes[id] = home
        let removed = change.change.removedAccessories
        values.remove(accessories: removed, in: id)
        for accessory in removed { reachability[accessory] = nil }
    }

    private mutating func apply(_ updates: [ValueUpdate]) {
        for update in updates {
            values[update.characteristic, in: update.home] = update.value
        }
    }

    private mutating func apply(_ updates: [ReachabilityUpdate]) {
        reachability.reserveCapacity(updates.count)
        for update in updates {
            reachability[update.accessory] = update
        }
    }
}

extension LogCursor {
    /// Whether what was seen of a log includes an entry of it.
    fileprivate func hasReached(_ place: LogPlace) -> Bool {
        lineage == place.lineage && revision >= place.revision
    }
}
