package import Foundation
package import HomeModel

/// A client's state: the user's homes, the known values and the accessories' reachability, updated by the hub's events.
///
/// Every client has one, whether it presents Apple's objects, a command's output or a page.
package struct HubState: Sendable {
    /// The identity of a characteristic across all homes.
    package struct ValueKey: Hashable, Sendable {
        package var home: UUID
        /// The characteristic.
        package var characteristic: CharacteristicReference

        /// Creates a key.
        package init(home: UUID, characteristic: CharacteristicReference) {
            self.home = home
            self.characteristic = characteristic
        }
    }

    /// The user's own log: the homes and their names. ``HomeModel/Home/viewer`` is the user's ID in a home.
    package private(set) var account: Account
    /// The homes by ID. Lists show a home only while ``account`` has it.
    package private(set) var homes: [UUID: Home]
    /// The last known values.
    package private(set) var values: KnownValues
    /// The reachability of each accessory, by accessory ID.
    package private(set) var reachability: [UUID: ReachabilityUpdate]
    /// The last run of each action set and trigger, by ID.
    package private(set) var runs: [UUID: RunUpdate]
    /// The accessories that aren't in a home, by the ID that the browser reported.
    package private(set) var discovered: [UUID: DiscoveredAccessory]
    /// The questions that wait for an answer, oldest first.
    package private(set) var questions: [Question]

    /// The hubs that aren't near, by ID; only an agent has any.
    package private(set) var standings: [UUID: HubStanding]

    /// The position in each log; `nil` until the hub has sent them.
    package private(set) var seen: LogCursors?

    /// A placeholder for the user, whose account ID a client doesn't know.
    private static let someUser = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// Creates the state of a client that hasn't received an event.
    package init() {
        account = Account(user: Self.someUser)
        homes = [:]
        values = KnownValues()
        reachability = [:]
        runs = [:]
        discovered = [:]
        questions = []
        standings = [:]
    }

    /// Applies an event. An invalid event changes nothing.
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
            replace(snapshot.runs)
        case .resumed(let live):
            // A hub that has just started knows few values. For the others, the last known value remains.
            values.merge(live.values)
            replace(live.reachability)
            replace(live.runs)
        case .change(let change):
            seen?.follow(change)
            apply(change)
        case .homeGone(let id):
            seen?.homes[id] = nil
            homes[id] = nil
            values.remove(home: id)
            reachability = reachability.filter { $0.value.home != id }
            runs = runs.filter { $0.value.home != id }
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
        case .runs(let updates):
            apply(updates)
        case .setupProgress:
            // It is for whoever follows the setup.
            break
        case .unconfigured, .unconfiguredLost:
            // These accessories belong to a search, not to the homes.
            break
        case .standing(let standing):
            standings[standing.hub] = standing.state == .near ? nil : standing
        case .journal:
            // Entries are for the client's user, who reads them as they arrive.
            break
        case .media:
            // Audio isn't part of the homes.
            break
        case .deviceMessage, .feed:
            // It is for the agent, not about the homes.
            break
        }
    }

    /// Applies the results of the client's own read or write. No event follows for them.
    package mutating func apply(_ results: CharacteristicResults, in home: UUID) {
        for outcome in results.outcomes where outcome.error == nil {
            guard let value = outcome.value else { continue }
            values[outcome.characteristic, in: home] = value
        }
    }

    /// The homes that are copies because their hubs are out of reach.
    package var awayHomes: Set<UUID> { Set(standings.values.flatMap(\.homes)) }

    /// Forgets that hubs are out of reach, when the connection ends. The next one begins with those that are.
    package mutating func clearStandings() {
        standings = [:]
    }

    /// Removes the discovered accessories, when a browser starts or stops.
    package mutating func clearDiscovered() {
        discovered = [:]
    }

    /// Returns whether the state includes all of the log entries that a reply follows. Entries of removed homes count as
    /// included.
    package func shows(_ places: [LogPlace]) -> Bool {
        guard let seen else { return false }
        return places.allSatisfy { place in
            guard let home = place.home else { return seen.account.hasReached(place) }
            // A home that isn't listed has nothing to show. A listed home hasn't arrived yet.
            return seen.homes[home].map { $0.hasReached(place) } ?? (account.home(home) == nil)
        }
    }

    private mutating func replace(_ updates: [ReachabilityUpdate]) {
        reachability = [:]
        apply(updates)
    }

    private mutating func replace(_ updates: [RunUpdate]) {
        runs = [:]
        apply(updates)
    }

    private mutating func apply(_ updates: [RunUpdate]) {
        for update in updates { runs[update.id] = update }
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
    /// Returns whether the position includes an entry of the log.
    fileprivate func hasReached(_ place: LogPlace) -> Bool {
        lineage == place.lineage && revision >= place.revision
    }
}
