import Automations
import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Journal

/// Makes journal entries and samples of the hub's activities, with the names that objects have at that time.
///
/// It receives activities in the order in which they were published, and follows the homes' state with them.
struct JournalEntryBuilder {
    /// The entries and samples of an activity.
    struct Record {
        var entries: [JournalEntry] = []
        var samples: [JournalSample] = []
    }

    /// The maximum number of objects of one change, and of a condition's terms, in an entry.
    private static let objectsPerEntry = 100
    /// The maximum length in UTF-8 bytes of a string value and of a reason.
    private static let textBytes = 512

    private var state: HomeDatabase.State
    private var throttle = EntryThrottle()
    private var heldThrottle = HeldThrottle()
    private var reachable: [UUID: Bool] = [:]

    /// Creates a builder with the homes' state before the first activity.
    init(state: HomeDatabase.State) { self.state = state }

    /// Returns the entries and samples of an activity.
    ///
    /// - Parameter time: When it was published.
    mutating func record(_ activity: Activity, at time: Date) -> Record {
        switch activity {
        case .stored(let request): Record(entries: changes(request))
        case .values(let values): self.values(values, areRepeated: false, at: time)
        case .repeatedWrites(let values): self.values(values, areRepeated: true, at: time)
        case .failedWrites(let failures): Record(entries: self.failures(failures, at: time))
        case .trigger(let activity): Record(entries: [trigger(activity)].compactMap(\.self))
        case .held(let held): Record(entries: self.held(held))
        case .scene(let activity): Record(entries: [scene(activity)].compactMap(\.self))
        case .said(let activity): Record(entries: [sentence(activity)].compactMap(\.self))
        case .reachability(let updates): Record(entries: reachability(updates, at: time))
        case .presence(let activity): Record(entries: [presence(activity)].compactMap(\.self))
        case .device(let activity): Record(entries: [device(activity)].compactMap(\.self))
        case .sync(let activity): Record(entries: sync(activity))
        case .hub(let activity): Record(entries: hub(activity))
        case .runs, .asked, .questionClosed, .discovered, .discoveryLost: Record()
        }
    }

    /// Follows the homes' state without an entry.
    mutating func follow(_ state: HomeDatabase.State) { self.state = state }

    // MARK: Changes

    /// Returns the entries of a stored request. Changes to a user's own list of homes and apps are private.
    private mutating func changes(_ request: StoredRequest) -> [JournalEntry] {
        let before = state
        state = request.state
        for entry in request.entries {
            for accessory in entry.draft.change.removedAccessories { reachable[accessory] = nil }
        }
        return request.entries.compactMap { stored in
            guard case .home(let id) = stored.draft.log, let home = state.homes[id] ?? before.homes[id] else {
                return nil
            }
            let names = [home, before.homes[id]].compactMap(\.self)
            let objects = stored.draft.change.subjects.lazy.compactMap { [state, before] subject -> JournalObject? in
                if subject == id {
                    let account = state.account(of: stored.draft.caller.user).home(id)
                    let name = account ?? before.account(of: stored.draft.caller.user).home(id)
                    return JournalObject(id: id, name: name?.name ?? "")
                }
                return names.lazy.compactMap { $0.journalObject(subject) }.first
            }
            let verb = stored.draft.change.verb
            let isOwned = names.contains { home in
                stored.draft.change.subjects.first.flatMap { home.owner(ofActionSet: $0) } != nil
            }
            let origin = Origin(cause: stored.draft.cause, caller: stored.draft.caller)
            var entry = entry(
                in: home,
                at: stored.draft.time,
                by: origin,
                .change(
                    isOwned && verb != .actionsChanged ? .triggerUpdated : verb,
                    objects: Self.withoutRepetitions(objects.prefix(Self.objectsPerEntry))
                )
            )
            // A user who left is known from before.
            entry.person = entry.person ?? before.homes[id].flatMap { person(of: origin, in: $0) }
            return entry
        }
    }

    /// Returns objects without those that an earlier one already is.
    private static func withoutRepetitions(_ objects: some Sequence<JournalObject>) -> [JournalObject] {
        var seen: Set<UUID> = []
        return objects.filter { seen.insert($0.id).inserted }
    }

    // MARK: Values

    private mutating func values(_ values: [ValueActivity], areRepeated: Bool, at time: Date) -> Record {
        var record = Record()
        // All are of one home.
        guard let home = values.first.flatMap({ state.homes[$0.update.home] }) else { return record }
        for activity in values {
            let reference = activity.update.characteristic
            guard let located = home.recorded(reference) else { continue }
            switch RecordingRule(located.shape) {
            case .nothing:
                break
            case .samples:
                guard let number = activity.update.value?.number, number.isFinite else { continue }
                let source = JournalSample.Source(home: home.id, accessory: reference.accessory, iid: reference.iid)
                record.samples.append(JournalSample(source, time: time, value: number))
            case .entries:
                // The first value that the hub reads isn't a change.
                let isFirst = activity.previous == nil && activity.origin.cause == .accessory
                guard located.shape.type.isMomentary ? activity.update.value != nil : !isFirst else { continue }
                var value = located.value(activity.update.value.map(Self.bounded))
                value.previous = areRepeated ? value.value : activity.previous.map(Self.bounded)
                let entry = entry(in: home, at: time, by: activity.origin, .value(value))
                guard throttle.admits(entry, about: reference, isRepeatable: areRepeated) else { continue }
                record.entries.append(entry)
            }
        }
        return record
    }

    private mutating func failures(_ failures: [FailedWrite], at time: Date) -> [JournalEntry] {
        failures.compactMap { failure in
            // A write to what the home doesn't have is about nothing.
            guard let home = state.homes[failure.home],
                let value = home.recordedValue(of: failure, failure.value.map(Self.bounded))
            else { return nil }
            var error = failure.error
            error.reason = Self.bounded(error.reason)
            let entry = entry(in: home, at: time, by: failure.origin, .failedWrite(value, error))
            let isNew = throttle.admits(entry, about: failure.characteristic, isRepeatable: true)
            return isNew ? entry : nil
        }
    }

    // MARK: Triggers, scenes, reachability, presence

    private mutating func trigger(_ activity: TriggerActivity) -> JournalEntry? {
        guard let home = state.homes[activity.home] else { return nil }
        if activity.outcome != .conditionFalse {
            heldThrottle.reset(home: home.id)
        } else if let held = HeldTriggers(activity), !heldThrottle.admits(held) {
            return nil
        }
        var entry = entry(
            of: activity.trigger,
            in: home,
            at: activity.time,
            activity.outcome,
            event: activity.event?.withoutPlace,
            Array(activity.observations.prefix(Self.objectsPerEntry)),
            due: activity.due,
            parent: activity.parent
        )
        entry.id = activity.id
        entry.names = names(in: entry.content, of: home)
        return entry
    }

    /// Returns an entry for each of the triggers, unless the same was recorded a moment ago.
    private mutating func held(_ held: HeldTriggers) -> [JournalEntry] {
        guard let home = state.homes[held.home], heldThrottle.admits(held) else { return [] }
        let observations = Array(held.observations.prefix(Self.objectsPerEntry))
        // Their events are of the same characteristic, so all have the same names.
        var names: [JournalObject]?
        return held.members.map { member in
            var entry = entry(
                of: member.trigger,
                in: home,
                at: held.time,
                .conditionFalse,
                event: member.event,
                observations,
                parent: held.parent
            )
            let known = names ?? self.names(in: entry.content, of: home)
            names = known
            entry.names = known
            return entry
        }
    }

    private func entry(
        of trigger: UUID,
        in home: Home,
        at time: Date,
        _ outcome: TriggerOutcome,
        event: TriggerEvent?,
        _ observations: [Observation],
        due: Date? = nil,
        parent: UUID?
    ) -> JournalEntry {
        let object = JournalObject(id: trigger, name: home.triggers[id: trigger]?.name ?? "")
        return entry(
            in: home,
            at: time,
            by: Origin(cause: Cause(kind: .trigger, subject: trigger), caller: nil, parent: parent),
            .trigger(object, outcome, event: event, observations: observations, due: due)
        )
    }

    /// Returns the names of what a trigger's event and its condition refer to.
    private func names(in content: JournalContent, of home: Home) -> [JournalObject] {
        guard case .trigger(_, _, let event, let observations, _) = content else { return [] }
        let users = observations.flatMap { $0.users + ($0.present ?? []) } + (event?.users ?? [])
        let accessories = observations.compactMap(\.accessory) + [event?.characteristic?.accessory].compactMap(\.self)
        let objects = Set(users + accessories).compactMap(home.journalObject)
        return objects.sorted { ($0.name, $0.id.uuidString) < ($1.name, $1.id.uuidString) }
    }

    private func scene(_ activity: SceneActivity) -> JournalEntry? {
        guard let home = state.homes[activity.home] else { return nil }
        // A trigger's own action set has no name.
        let name = home.owner(ofActionSet: activity.actionSet)?.name ?? home.actionSet(activity.actionSet)?.name
        let object = JournalObject(id: activity.actionSet, name: name ?? "")
        let content = JournalContent.scene(object, actions: activity.actions, failures: activity.failures)
        var entry = entry(in: home, at: activity.time, by: activity.origin, content)
        entry.id = activity.id
        return entry
    }

    private func sentence(_ activity: SentenceActivity) -> JournalEntry? {
        guard let home = state.homes[activity.home] else { return nil }
        let content = JournalContent.sentence(Self.bounded(activity.text))
        var entry = entry(in: home, at: activity.time, by: activity.origin, content)
        entry.id = activity.id
        return entry
    }

    private mutating func reachability(_ updates: [ReachabilityUpdate], at time: Date) -> [JournalEntry] {
        updates.compactMap { update in
            let before = reachable.updateValue(update.isReachable, forKey: update.accessory)
            // Every accessory becomes reachable after the hub has started.
            guard before != update.isReachable, before != nil || !update.isReachable,
                let home = state.homes[update.home], let object = home.journalObject(update.accessory)
            else { return nil }
            let content = JournalContent.reachability(
                object,
                isReachable: update.isReachable,
                reason: update.cause.map(Self.bounded)
            )
            return entry(in: home, at: time, by: Origin(cause: .hub, caller: nil), content)
        }
    }

    private func presence(_ activity: PresenceActivity) -> JournalEntry? {
        guard activity.isHome != activity.wasHome, let home = state.homes[activity.home],
            let person = home.journalObject(activity.user)
        else { return nil }
        return entry(in: home, at: activity.time, by: activity.origin, .presence(person, isHome: activity.isHome))
    }

    private func device(_ activity: DeviceActivity) -> JournalEntry? {
        guard let home = state.homes[activity.home], let user = home.journalObject(activity.user) else { return nil }
        let (verb, device): (Verb, String?) =
            switch activity.event {
            case .invited: (.userInvited, nil)
            case .signedIn: (.invitationUsed, nil)
            case .joined(let name): (.deviceJoined, name)
            case .removed(let name): (.deviceLeft, name)
            }
        let objects = [user] + (device.map { [JournalObject(id: UUID(), name: $0)] } ?? [])
        return entry(in: home, at: activity.time, by: activity.origin, .change(verb, objects: objects))
    }

    // MARK: Relays

    /// Returns an entry for each home that the change concerns.
    private func sync(_ activity: SyncActivity) -> [JournalEntry] {
        let (verb, user, relays): (Verb, UUID?, [String]) =
            switch activity.event {
            case .enabled(let relay): (.syncEnabled, nil, [relay])
            case .moved(let relay, let former): (.syncMoved, nil, [relay, former])
            case .disabled(let relay): (.syncDisabled, nil, [relay])
            case .feedBegun(let user): (.feedBegun, user, [])
            case .feedEnded(let user): (.feedEnded, user, [])
            case .refilled(let user): (.relayRefilled, user, [])
            case .setBack: (.hubSetBack, nil, [])
            case .settled(.recovered): (.laterChangesRecovered, nil, [])
            case .settled(.discarded): (.laterChangesDiscarded, nil, [])
            case .vaultMade(let relay): (.vaultMade, nil, [relay])
            case .vaultOpened(let relay): (.vaultOpened, nil, [relay])
            }
        // By what a relay is recognized is no part of its name.
        let named = relays.map { JournalObject(id: UUID(), name: String($0.prefix { $0 != "#" })) }
        return state.homes.values.compactMap { home in
            let member = user.map { [home.journalObject($0)].compactMap(\.self) }
            if let member, member.isEmpty { return nil }
            let content = JournalContent.change(verb, objects: (member ?? []) + named)
            return entry(in: home, at: activity.time, by: activity.origin, content)
        }
    }

    // MARK: Hubs

    /// Returns an entry for each home, because the hubs keep all of them.
    private func hub(_ activity: HubActivity) -> [JournalEntry] {
        let (verb, hubs): (Verb, [String]) =
            switch activity.event {
            case .joined(let hub): (.hubJoined, [hub])
            case .left(let hub): (.hubLeft, [hub])
            case .removed(let hub): (.hubRemoved, [hub])
            case .alone(let former): (.hubAlone, [former])
            case .leads(let hub): (.hubLeads, [hub])
            case .tookOver(let hub, let former): (.hubTookOver, [hub, former])
            case .silent: (.hubsSilent, [])
            }
        let content = JournalContent.change(verb, objects: hubs.map { JournalObject(id: UUID(), name: $0) })
        return state.homes.values.map { entry(in: $0, at: activity.time, by: activity.origin, content) }
    }

    // MARK: Entries

    private func entry(in home: Home, at time: Date, by origin: Origin, _ content: JournalContent) -> JournalEntry {
        // The ID of a user who agreed is the user's account.
        let cause = origin.cause.kind == .consent ? Cause(kind: .consent) : origin.cause
        let device = device(of: origin)
        return JournalEntry(
            id: .ordered(at: time),
            home: home.id,
            time: time,
            parent: origin.parent,
            cause: cause,
            person: person(of: origin, in: home),
            app: Self.isRequest(origin.cause) ? origin.caller?.app : nil,
            device: device,
            way: device == nil ? nil : origin.caller?.isAway == true ? .away : .near,
            content: content
        )
    }

    /// Returns the name of the device that requested it; `nil` if none did, as at the hub's own machine.
    private func device(of origin: Origin) -> String? {
        guard Self.isRequest(origin.cause), let caller = origin.caller else { return nil }
        return state.account(of: caller.user).device(caller.device)?.name
    }

    private func person(of origin: Origin, in home: Home) -> String? {
        guard Self.isRequest(origin.cause) else { return nil }
        let user = origin.cause.kind == .consent ? origin.cause.subject : origin.caller?.user
        return user.flatMap { home.users[id: $0]?.name }
    }

    /// Returns whether a client's request is the cause itself, and not a scene or a trigger that it led to.
    private static func isRequest(_ cause: Cause) -> Bool {
        [.person, .app, .assistant, .consent].contains(cause.kind)
    }

    private static func bounded(_ text: String) -> String {
        guard text.utf8.count > textBytes else { return text }
        return String(decoding: text.utf8.prefix(textBytes), as: UTF8.self) + "…"
    }

    private static func bounded(_ value: CharacteristicValue) -> CharacteristicValue {
        if case .string(let text) = value { .string(bounded(text)) } else { value }
    }
}

/// A characteristic of a home, with the names that an entry about it has.
private struct RecordedCharacteristic {
    var accessory: JournalObject
    var service: String?
    var shape: CharacteristicShape

    func value(_ value: CharacteristicValue?) -> JournalValue {
        JournalValue(accessory: accessory, service: service, iid: shape.iid, type: shape.type, value: value)
    }
}

extension Home {
    fileprivate func recorded(_ reference: CharacteristicReference) -> RecordedCharacteristic? {
        guard let record = accessories[id: reference.accessory] else { return nil }
        for service in services(of: record) {
            guard let index = service.characteristics.firstIndex(where: { $0.iid == reference.iid }) else { continue }
            let shape = service.characteristics[index]
            let name = Home.name(of: service, in: record)
            return RecordedCharacteristic(
                accessory: JournalObject(id: record.id, name: record.name),
                service: name == record.name ? nil : name,
                shape: shape
            )
        }
        return nil
    }

    /// Returns what an entry about a failed write contains; `nil` if it is about nothing that is recorded.
    fileprivate func recordedValue(of failure: FailedWrite, _ value: CharacteristicValue?) -> JournalValue? {
        let reference = failure.characteristic
        if let located = recorded(reference) {
            return RecordingRule(located.shape) == .nothing ? nil : located.value(value)
        }
        // A write to what the home doesn't have is about nothing, unless it is an action.
        guard let type = failure.missingType, let record = accessories[id: reference.accessory] else { return nil }
        let isBytes = if case .data? = value { true } else { false }
        return JournalValue(
            accessory: JournalObject(id: record.id, name: record.name),
            service: nil,
            iid: reference.iid,
            type: type,
            value: isBytes ? nil : value
        )
    }

    /// Returns an object of the home with its name; `nil` if it has none, as services and actions. A trigger's own action
    /// set is told as the trigger.
    fileprivate func journalObject(_ id: UUID) -> JournalObject? {
        if let user = users[id: id] { return JournalObject(id: id, name: user.name, isUser: true) }
        if let trigger = owner(ofActionSet: id) { return JournalObject(id: trigger.id, name: trigger.name) }
        let name =
            accessories[id: id]?.name ?? rooms[id: id]?.name ?? zones[id: id]?.name ?? actionSet(id)?.name
            ?? triggers[id: id]?.name ?? serviceGroups[id: id]?.name ?? (id == defaultRoom ? roomName(id) : nil)
        return name.map { JournalObject(id: id, name: $0) }
    }
}

extension TriggerEvent {
    /// The event without coordinates. The place where a user was isn't recorded.
    fileprivate var withoutPlace: TriggerEvent {
        guard case .location(let region) = occurrence else { return self }
        let hidden = HiddenLocation(onEntry: region.onEntry, onExit: region.onExit, user: region.user)
        return TriggerEvent(id: id, occurrence: .hiddenLocation(hidden))
    }

    /// The users that the event refers to.
    fileprivate var users: [UUID] {
        switch occurrence {
        case .presence(let presence): presence.listedUsers
        case .location(let region): [region.user].compactMap(\.self)
        case .hiddenLocation(let location): [location.user].compactMap(\.self)
        default: []
        }
    }
}

extension Observation {
    /// The users that the term refers to.
    fileprivate var users: [UUID] {
        if case .presence(let presence) = term { presence.listedUsers } else { [] }
    }

    /// The accessory that the term refers to.
    fileprivate var accessory: UUID? {
        if case .characteristic(let identity, _, _) = term { identity.accessory } else { nil }
    }
}

extension Presence {
    fileprivate var listedUsers: [UUID] {
        if case .users(let users) = people { users } else { [] }
    }
}

extension HeldTriggers {
    /// Creates the trigger of an activity; `nil` if it is a timer, or a time was due.
    fileprivate init?(_ activity: TriggerActivity) {
        guard let event = activity.event, activity.due == nil else { return nil }
        self.init(
            home: activity.home,
            members: [Member(trigger: activity.trigger, event: event)],
            observations: activity.observations,
            time: activity.time,
            parent: activity.parent
        )
    }
}
