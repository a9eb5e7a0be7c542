package import Foundation
package import HomeModel

// These methods translate from the hub to the session.

extension Projection {
    // MARK: Logs

    /// Returns a home's log, as a `reset` event contains it.
    package func log(_ home: Home, at cursor: LogCursor) -> Snapshot.Log {
        Snapshot.Log(cursor, records(of: home), user: alias(of: user, in: home.id))
    }

    /// Returns the user's own log, as a `reset` event contains it.
    package func log(_ account: Account, at cursor: LogCursor) -> Snapshot.Log {
        Snapshot.Log(cursor, records(account.records, in: .account(account.user), as: nil))
    }

    /// Returns the change that adds a home to the session: the home's current state, not its history.
    package func homeChange(of home: Home, at cursor: LogCursor, isMine: Bool) -> LogChange {
        LogChange(
            home: home.id,
            lineage: cursor.lineage,
            revision: cursor.revision,
            change: Change(
                verb: .homeCreated,
                subjects: [home.id],
                effects: records(of: home).map(Effect.put)
            ),
            isMine: isMine,
            user: alias(of: user, in: home.id)
        )
    }

    /// Returns a change in the form that the session receives.
    ///
    /// - Parameter role: The user's role in the log's home; `nil` for the user's own log.
    package func change(
        _ change: Change,
        in log: LogID,
        at cursor: LogCursor,
        as role: Role?,
        isMine: Bool
    ) -> LogChange {
        let home: UUID? = if case .home(let id) = log { id } else { nil }
        return LogChange(
            home: home,
            lineage: cursor.lineage,
            revision: cursor.revision,
            change: self.change(change, in: log, as: role),
            isMine: isMine
        )
    }

    // MARK: Changes

    /// Returns the parts of a change that the session may see.
    ///
    /// - Parameter role: The user's role in the log's home; `nil` for the user's own log.
    package func change(_ change: Change, in log: LogID, as role: Role?) -> Change {
        Change(
            verb: change.verb,
            subjects: subjects(of: change, in: log),
            effects: change.effects.compactMap { effect in
                switch effect {
                case .put(let record): self.record(record, in: log, as: role).map(Effect.put)
                case .remove(let id): self.recordID(id, in: log).map(Effect.remove)
                }
            }
        )
    }

    /// Returns the subjects of a change, with aliases for users: those whose records the change puts or removes.
    private func subjects(of change: Change, in log: LogID) -> [UUID] {
        var aliases: [UUID: UUID] = [:]
        var others: Set<UUID> = []
        for effect in change.effects {
            let id =
                switch effect {
                case .put(let record): record.recordID
                case .remove(let id): id
                }
            guard let subject = id.uuid, let projected = recordID(id, in: log)?.uuid else { continue }
            if projected == subject { others.insert(subject) } else { aliases[subject] = projected }
        }
        return change.subjects.compactMap { subject in
            if let alias = aliases[subject] { return alias }
            // For a verb of a newer version, only the effects show what the subjects are.
            return Verb.known.contains(change.verb) || others.contains(subject) ? subject : nil
        }
    }

    // MARK: Records

    /// Returns the records of a log that the session may see, in their order.
    ///
    /// - Parameter role: The user's role in the log's home; `nil` for the user's own log.
    package func records(_ records: some Sequence<Record>, in log: LogID, as role: Role?) -> [Record] {
        records.compactMap { record($0, in: log, as: role) }
    }

    private func records(of home: Home) -> [Record] {
        records(home.records, in: .home(home.id), as: home.activeRole(of: user))
    }

    /// Returns whether the session may see where a home is.
    ///
    /// Where people live is nothing that an app needs to know, or that a guest decides about.
    ///
    /// - Parameter role: The user's role in the home.
    package func seesPlace(as role: Role?) -> Bool {
        kind.isPerson && role?.canEditLayout == true
    }

    /// Returns a record in the form that the session may see; `nil` if it may not see the record.
    private func record(_ record: Record, in log: LogID, as role: Role?) -> Record? {
        switch (log, record) {
        case (.account, .accountHome):
            return record
        case (.account, .accountFavorites):
            return kind.isPerson ? record : nil
        case (.account, .accountDevice(var device)):
            // They are for the hub, and long.
            device.box = nil
            device.relayKey = nil
            return kind.isPerson ? .accountDevice(device) : nil
        case (.account, .accountApp(let app)):
            return isVisible(app: app.id) ? record : nil
        case (.home(let home), .user(var user)):
            user.id = alias(of: user.id, in: home)
            return .user(user)
        case (.home(let home), .trigger(var trigger)):
            trigger.definition = definition(trigger.definition, in: home)
            return .trigger(trigger)
        case (.home, .actionSet(var actionSet)):
            for index in actionSet.actions.indices {
                guard case .unknown = actionSet.actions[index].operation else { continue }
                actionSet.actions[index].operation = .unknown(Self.bare(actionSet.actions[index].id))
            }
            return .actionSet(actionSet)
        case (.home, .home(var home)):
            if !seesPlace(as: role) { home.place = nil }
            return .home(home)
        case (.home, .room), (.home, .zone), (.home, .shape), (.home, .accessory),
            (.home, .serviceGroup), (.home, .order):
            return record
        case (.account, _), (.home, .accountHome), (.home, .accountFavorites), (.home, .accountApp),
            (.home, .accountDevice), (.home, .unknown):
            return nil
        }
    }

    private func recordID(_ id: RecordID, in log: LogID) -> RecordID? {
        switch (log, id.kind) {
        case (.account, .accountHome):
            id
        case (.account, .accountFavorites), (.account, .accountDevice):
            kind.isPerson ? id : nil
        case (.account, .accountApp):
            isVisible(app: id.id) ? id : nil
        case (.home(let home), .user):
            id.uuid.map { RecordID(.user, alias(of: $0, in: home)) }
        case (.home, .home), (.home, .room), (.home, .zone), (.home, .shape), (.home, .accessory),
            (.home, .serviceGroup), (.home, .actionSet), (.home, .trigger), (.home, .order):
            id
        default:
            nil
        }
    }

    private func isVisible(app: String) -> Bool { kind.isPerson || app == self.app }

    // MARK: Triggers

    private func definition(_ definition: TriggerDefinition, in home: UUID) -> TriggerDefinition {
        switch definition {
        case .timer:
            return definition
        case .event(var rule):
            rule.events = rule.events.map { event($0, in: home) }
            rule.endEvents = rule.endEvents.map { event($0, in: home) }
            rule.condition = rule.condition?.mapLeaves { term($0, in: home) }
            return .event(rule)
        case .unknown:
            return .unknown(.object([:]))
        }
    }

    /// Returns an event in the form that the session may see.
    func event(_ event: TriggerEvent, in home: UUID) -> TriggerEvent {
        var event = event
        switch event.occurrence {
        case .presence(let presence):
            event.occurrence = .presence(self.presence(presence, in: home))
        case .location(var region) where region.user == user:
            region.user = alias(of: user, in: home)
            event.occurrence = .location(region)
        case .location(let region):
            event.occurrence = .hiddenLocation(
                HiddenLocation(
                    onEntry: region.onEntry,
                    onExit: region.onExit,
                    user: region.user.map { alias(of: $0, in: home) }
                )
            )
        case .hiddenLocation(var location):
            location.user = location.user.map { alias(of: $0, in: home) }
            event.occurrence = .hiddenLocation(location)
        case .unknown:
            event.occurrence = .unknown(Self.bare(event.id))
        case .characteristic, .threshold, .sun, .calendar, .duration:
            break
        }
        return event
    }

    /// Returns a term of a condition in the form that the session may see.
    func term(_ term: Condition, in home: UUID) -> Condition {
        switch term {
        case .presence(let presence): .presence(self.presence(presence, in: home))
        case .unknown: .unknown(.object([:]))
        default: term
        }
    }

    /// Returns an observation in the form that the session may see.
    package func observation(_ observation: Observation, in home: UUID) -> Observation {
        var observation = observation
        observation.term = term(observation.term, in: home)
        observation.present = observation.present?.map { alias(of: $0, in: home) }
        return observation
    }

    private func presence(_ presence: Presence, in home: UUID) -> Presence {
        guard case .users(let users) = presence.people else { return presence }
        return Presence(presence.kind, of: .users(users.map { alias(of: $0, in: home) }))
    }

    /// Returns a placeholder for an object of a newer version: only its ID.
    private static func bare(_ id: UUID) -> JSONValue { .object(["id": .string(id.uuidString)]) }
}
