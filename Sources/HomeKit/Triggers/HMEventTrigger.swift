public import Foundation
import HomeModel
import HubAPI

/// A trigger that fires when one of its events happens while its condition is true.
///
/// The condition is an `NSPredicate` from the class methods of this class, or an `NSCompoundPredicate` of these. If the
/// trigger has end events, the first of them to happen after the trigger has fired undoes what the trigger did.
///
/// Conditions that come from the hub can be combined again, for example to add a term. `NSPredicate(value: true)` and an
/// empty AND stand for no condition. Any other predicate of the app's own, such as one with a block, ends with
/// ``HMError/Code/invalidParameter`` when it is used.
/// - Since: iOS 9.0
public final class HMEventTrigger: HMTrigger, @unchecked Sendable {
    // @unchecked because the mutable state is guarded by the lock.

    /// The parts before the trigger is in a home.
    private struct Draft {
        var events: [HMEvent] = []
        var endEvents: [HMEvent] = []
        var recurrences: [DateComponents]?
        var predicate: NSPredicate?
        var condition = AppCondition.none
        var executeOnce = false
    }

    private let lock = NSLock()
    private var draft: Draft
    /// The objects for the events of the trigger's record.
    private var objects: [UUID: HMEvent] = [:]
    /// The predicate that was last handed out for the record's condition.
    private var shown: (condition: Condition, predicate: NSPredicate)?

    /// Creates a trigger, which is validated when it is added to a home.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - events: The events, any of which fires the trigger.
    ///   - predicate: The condition, or `nil` for none.
    /// - Since: iOS 9.0
    public convenience init(name: String, events: [HMEvent], predicate: NSPredicate?) {
        self.init(name: name, events: events, end: nil, recurrences: nil, predicate: predicate)
    }

    /// Creates a trigger, which is validated when it is added to a home.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - events: The events, any of which fires the trigger.
    ///   - endEvents: The events that undo what the trigger did.
    ///   - recurrences: The days on which it fires, each with a `weekday`. `nil` for every day.
    ///   - predicate: The condition, or `nil` for none.
    /// - Since: iOS 11.0
    public init(
        name: String,
        events: [HMEvent],
        end endEvents: [HMEvent]?,
        recurrences: [DateComponents]?,
        predicate: NSPredicate?
    ) {
        draft = Draft(
            events: events,
            endEvents: endEvents ?? [],
            recurrences: recurrences,
            predicate: predicate,
            condition: AppCondition(predicate)
        )
        super.init(name: name)
        for event in events + (endEvents ?? []) { event.attach(to: self) }
    }

    override init(_ id: UUID, _ homeReference: HomeReference) {
        draft = Draft()
        super.init(id, homeReference)
    }

    // MARK: Properties

    /// The events, any of which fires the trigger. An event on a characteristic that its accessory currently lacks is
    /// omitted until it is back.
    /// - Since: iOS 9.0
    public var events: [HMEvent] {
        isInHome ? events(of: \.events) : lock.withLock { draft.events }
    }

    /// The events that undo what the trigger did.
    /// - Since: iOS 11.0
    public var endEvents: [HMEvent] {
        isInHome ? events(of: \.endEvents) : lock.withLock { draft.endEvents }
    }

    /// The condition, or `nil` if there is none: a predicate of this class's methods, or an `NSCompoundPredicate`.
    /// - Since: iOS 9.0
    public var predicate: NSPredicate? {
        guard isInHome else { return lock.withLock { draft.predicate } }
        guard let condition = rule?.condition else { return nil }
        return lock.withLock {
            if let shown, shown.condition == condition { return shown.predicate }
            let predicate = condition.predicate
            shown = (condition, predicate)
            return predicate
        }
    }

    /// The days of the week on which the trigger fires, or `nil` for every day.
    /// - Since: iOS 11.0
    public var recurrences: [DateComponents]? {
        guard isInHome else { return lock.withLock { draft.recurrences } }
        guard let weekdays = rule?.weekdays, !weekdays.isEmpty else { return nil }
        return weekdays.map { DateComponents(weekday: $0) }
    }

    /// Whether the trigger is disabled after it has fired once.
    /// - Since: iOS 11.0
    public var executeOnce: Bool {
        isInHome ? rule?.executesOnce ?? false : lock.withLock { draft.executeOnce }
    }

    /// Whether the hub waits for the events.
    /// - Since: iOS 11.0
    public var triggerActivationState: HMEventTriggerActivationState {
        guard let homeReference, !homeReference.isGone, isEnabled else { return .disabled }
        let home = homeReference.home
        guard homeReference.context.withObjects({ $0.isHubConnected(home) }) else { return .disabledNoHomeHub }
        return rule?.isFullyKnown == true ? .enabled : .disabledNoCompatibleHomeHub
    }

    // MARK: Changes

    /// Adds an event.
    ///
    /// Errors: ``HMError/Code/notificationNotSupported`` for a characteristic that doesn't support notifications,
    /// ``HMError/Code/invalidParameter`` for an event that can't happen; ``HMError/Code/insufficientPrivileges`` for
    /// guests.
    /// - Since: iOS 9.0
    @available(*, deprecated, message: "Use updateEvents(_:completionHandler:).")
    @preconcurrency
    public func addEvent(_ event: HMEvent, completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        setEvents(to: events + [event], completion)
    }

    /// Adds an event; see the completion-handler form.
    /// - Since: iOS 9.0
    @available(*, deprecated, message: "Use updateEvents(_:).")
    public func addEvent(_ event: HMEvent) async throws {
        try await completing { setEvents(to: events + [event], $0) }
    }

    /// Removes an event.
    ///
    /// Errors: ``HMError/Code/notFound`` if the trigger doesn't wait for it, ``HMError/Code/missingParameter`` if it is the
    /// only one; ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 9.0
    @available(*, deprecated, message: "Use updateEvents(_:completionHandler:).")
    @preconcurrency
    public func removeEvent(
        _ event: HMEvent,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        dropEvent(event, completion)
    }

    /// Removes an event; see the completion-handler form.
    /// - Since: iOS 9.0
    @available(*, deprecated, message: "Use updateEvents(_:).")
    public func removeEvent(_ event: HMEvent) async throws {
        try await completing { dropEvent(event, $0) }
    }

    /// Replaces the events. When the completion handler is called, ``events`` returns them.
    ///
    /// Errors: ``HMError/Code/missingParameter`` without an event, ``HMError/Code/notificationNotSupported`` for a
    /// characteristic that doesn't support notifications, the errors of
    /// ``HMCharacteristic/writeValue(_:completionHandler:)`` for invalid values, ``HMError/Code/invalidClass`` for a region
    /// that isn't circular, ``HMError/Code/invalidParameter`` for an event that can't happen;
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 11.0
    @preconcurrency
    public func updateEvents(
        _ events: [HMEvent],
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        setEvents(to: events, completion)
    }

    /// Replaces the events; see the completion-handler form.
    /// - Since: iOS 11.0
    public func updateEvents(_ events: [HMEvent]) async throws {
        try await completing { updateEvents(events, completionHandler: $0) }
    }

    /// Replaces the events that undo what the trigger did. Only these can be ``HMDurationEvent``s.
    ///
    /// Errors: those of ``updateEvents(_:completionHandler:)``, except for the first.
    /// - Since: iOS 11.0
    @preconcurrency
    public func updateEndEvents(
        _ endEvents: [HMEvent],
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        edit(adopting: endEvents, completion) { home throws(HMError) in
            .endEvents(try Self.stored(endEvents, in: home))
        } before: {
            lock.withLock { draft.endEvents = endEvents }
        }
    }

    /// Replaces the end events; see the completion-handler form.
    /// - Since: iOS 11.0
    public func updateEndEvents(_ endEvents: [HMEvent]) async throws {
        try await completing { updateEndEvents(endEvents, completionHandler: $0) }
    }

    /// Replaces the condition. Pass `nil` for none.
    ///
    /// Errors: ``HMError/Code/invalidParameter`` for a predicate that isn't a condition, is never true, or compares with an
    /// operator other than `<`, `<=`, `==`, `!=`, `>=` and `>`, ``HMError/Code/invalidValueType`` for a value that the
    /// characteristic can't have, ``HMError/Code/objectAssociatedToAnotherHome``;
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 9.0
    @preconcurrency
    public func updatePredicate(
        _ predicate: NSPredicate?,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let condition = AppCondition(predicate)
        edit(completion) { home throws(HMError) in
            .condition(try condition.stored(in: home))
        } before: {
            lock.withLock {
                draft.predicate = predicate
                draft.condition = condition
            }
        }
    }

    /// Replaces the condition; see the completion-handler form. Runs on the caller's executor, because a predicate may not
    /// be sent to another actor.
    /// - Since: iOS 9.0
    nonisolated(nonsending) public func updatePredicate(_ predicate: NSPredicate?) async throws {
        try await completing { updatePredicate(predicate, completionHandler: $0) }
    }

    /// Changes the days on which the trigger fires, each with a `weekday`. Pass `nil` for every day.
    ///
    /// Errors: ``HMError/Code/recurrenceTooLarge`` for months and years, ``HMError/Code/invalidParameter`` for days without a
    /// weekday; ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 11.0
    @preconcurrency
    public func updateRecurrences(
        _ recurrences: [DateComponents]?,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        edit(completion) { _ throws(HMError) in
            .weekdays(try Self.weekdays(of: recurrences))
        } before: {
            lock.withLock { draft.recurrences = recurrences }
        }
    }

    /// Changes the days on which the trigger fires; see the completion-handler form.
    /// - Since: iOS 11.0
    public func updateRecurrences(_ recurrences: [DateComponents]?) async throws {
        try await completing { updateRecurrences(recurrences, completionHandler: $0) }
    }

    /// Sets whether the trigger is disabled after it has fired once.
    ///
    /// Errors: ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 11.0
    @preconcurrency
    public func updateExecuteOnce(
        _ executeOnce: Bool,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        edit(completion) { _ throws(HMError) in
            .executesOnce(executeOnce)
        } before: {
            lock.withLock { draft.executeOnce = executeOnce }
        }
    }

    /// Sets whether the trigger is disabled after it has fired once; see the completion-handler form.
    /// - Since: iOS 11.0
    public func updateExecuteOnce(_ executeOnce: Bool) async throws {
        try await completing { updateExecuteOnce(executeOnce, completionHandler: $0) }
    }

    // MARK: Joining a home

    override func definition(in home: HomeReference) throws(HMError) -> TriggerDefinition {
        let draft = Sent(lock.withLock { self.draft }).value
        return .event(
            EventRule(
                events: try Self.stored(draft.events, in: home),
                endEvents: try Self.stored(draft.endEvents, in: home),
                condition: try draft.condition.stored(in: home),
                weekdays: try Self.weekdays(of: draft.recurrences),
                executesOnce: draft.executeOnce
            )
        )
    }

    override func adoptParts(of record: TriggerRecord) {
        let events = lock.withLock {
            defer { draft = Draft() }
            return draft.events + draft.endEvents
        }
        adopt(events, as: record)
    }
}

// MARK: - Events

extension HMEventTrigger {
    /// The rule in the trigger's record, or `nil` if the trigger is in no home.
    private var rule: EventRule? {
        read { record in
            if case .event(let rule) = record.definition { rule } else { nil }
        }
    }

    private func events(of part: (EventRule) -> [TriggerEvent]) -> [HMEvent] {
        guard let homeReference, let rule else { return [] }
        return part(rule).compactMap { object(for: $0, in: homeReference) }
    }

    private func object(for event: TriggerEvent, in home: HomeReference) -> HMEvent? {
        let known = lock.withLock { objects[event.id] }
        if home.isGone { return known }
        let characteristic = event.characteristic.flatMap { home.context.characteristic($0, of: home) }
        if let known, known.shows(event.occurrence), known.observed === characteristic { return known }
        guard let object = HMEvent.object(for: event, in: home) else { return nil }
        object.show(event.occurrence)
        object.attach(to: self)
        lock.withLock { objects[event.id] = object }
        return object
    }

    /// Makes objects that the app made show the events of the record with the same identities.
    private func adopt(_ events: [HMEvent], as record: TriggerRecord) {
        guard case .event(let rule) = record.definition else { return }
        let stored = Dictionary((rule.events + rule.endEvents).map { ($0.id, $0.occurrence) }) { first, _ in first }
        var adopted: [UUID: HMEvent] = [:]
        for event in events {
            guard let occurrence = stored[event.uniqueIdentifier] else { continue }
            event.attach(to: self)
            let object = event.shown
            object.attach(to: self)
            object.show(occurrence)
            adopted[event.uniqueIdentifier] = object
        }
        lock.withLock {
            objects = objects.filter { stored[$0.key] != nil }.merging(adopted) { _, new in new }
        }
    }

    private static func stored(_ events: [HMEvent], in home: HomeReference) throws(HMError) -> [TriggerEvent] {
        var stored: [TriggerEvent] = []
        for event in events {
            stored.append(TriggerEvent(id: event.uniqueIdentifier, occurrence: try event.occurrence(in: home)))
        }
        return stored
    }

    private static func weekdays(of recurrences: [DateComponents]?) throws(HMError) -> [Int] {
        var weekdays: [Int] = []
        for components in recurrences ?? [] {
            let longer = [components.year, components.yearForWeekOfYear, components.quarter, components.month]
            guard longer.allSatisfy({ $0 ?? 0 == 0 }) else { throw HMError(.recurrenceTooLarge) }
            guard let weekday = components.weekday else {
                throw HMError(.invalidParameter, reason: "An event trigger recurs on days of the week.")
            }
            weekdays.append(weekday)
        }
        return weekdays
    }

    private func setEvents(to events: [HMEvent], _ completion: @escaping @Sendable ((any Error)?) -> Void) {
        edit(adopting: events, completion) { home throws(HMError) in
            .events(try Self.stored(events, in: home))
        } before: {
            lock.withLock { draft.events = events }
        }
    }

    private func dropEvent(_ event: HMEvent, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
        let events = events
        guard events.contains(event) else {
            return queue.async { completion(HMError(.notFound)) }
        }
        setEvents(to: events.filter { $0 != event }, completion)
    }

    /// Changes the trigger's events, in its home or before it is in one.
    private func edit(
        adopting events: [HMEvent],
        _ completion: @escaping @Sendable ((any Error)?) -> Void,
        _ makeEdit: (HomeReference) throws(HMError) -> TriggerEdit,
        before change: () -> Void
    ) {
        for event in events where event.trigger == nil { event.attach(to: self) }
        let adopt: @Sendable ((any Error)?) -> Void = { [self] error in
            if error == nil, let record = read({ $0 }) { self.adopt(events, as: record) }
            completion(error)
        }
        edit(adopt, makeEdit, before: change)
    }

    /// Replaces an event or an end event of the trigger's record. Other events stay as they are.
    func replace(
        _ event: HMEvent,
        in home: HomeReference,
        with occurrence: (HomeReference) throws(HMError) -> TriggerEvent.Occurrence,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let id = event.uniqueIdentifier
        let adopt: @Sendable ((any Error)?) -> Void = { [self] error in
            if error == nil, let record = read({ $0 }) {
                guard case .event(let rule) = record.definition,
                    let stored = (rule.events + rule.endEvents).first(where: { $0.id == id })
                else { return completion(nil) }
                event.show(stored.occurrence)
            }
            completion(error)
        }
        let rule = rule
        edit(adopt) { home throws(HMError) in
            let new = TriggerEvent(id: id, occurrence: try occurrence(home))
            guard let rule else { throw HMError(.operationInProgress) }
            func replaced(_ events: [TriggerEvent]) -> [TriggerEvent]? {
                events.contains { $0.id == id } ? events.map { $0.id == id ? new : $0 } : nil
            }
            if let events = replaced(rule.events) { return .events(events) }
            guard let events = replaced(rule.endEvents) else { throw HMError(.notFound) }
            return .endEvents(events)
        } before: {
        }
    }
}

extension EventRule {
    /// Whether this version knows all parts of the rule.
    fileprivate var isFullyKnown: Bool {
        let isKnown = (events + endEvents).allSatisfy { event in
            if case .unknown = event.occurrence { false } else { true }
        }
        return isKnown && condition?.isFullyKnown != false
    }
}

extension Condition {
    fileprivate var isFullyKnown: Bool {
        switch self {
        case .all(let terms), .any(let terms): terms.allSatisfy(\.isFullyKnown)
        case .not(let term): term.isFullyKnown
        case .unknown: false
        default: true
        }
    }
}
