public import Foundation
import HomeModel
import HubAPI
import Synchronization

/// A trigger that fires at a time, once or repeatedly.
///
/// It fires on the minute. If the hub isn't running at that time, it doesn't fire later.
/// - Since: iOS 8.0
public final class HMTimerTrigger: HMTrigger, @unchecked Sendable {
    // @unchecked because the superclass is.

    private struct Draft {
        var fireDate = Date.distantPast
        var timeZone: TimeZone?
        var recurrence: DateComponents?
        var recurrenceCalendar: Calendar?
    }

    /// The times before the trigger is in a home.
    private let draft: Mutex<Draft>

    /// Creates a timer, whose times are validated when it is added to a home.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - fireDate: The first time at which it fires. Its seconds must be 0.
    ///   - recurrence: The time between two firings, from 5 minutes to 5 weeks, in weeks, days, hours and minutes. `nil`
    ///     for a timer that fires once.
    /// - Since: iOS 16.4
    public init(name: String, fireDate: Date, recurrence: DateComponents?) {
        draft = Mutex(Draft(fireDate: fireDate, recurrence: recurrence))
        super.init(name: name)
    }

    /// Creates a timer, whose times are validated when it is added to a home.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - fireDate: The first time at which it fires. Its seconds must be 0.
    ///   - timeZone: The time zone in which days are counted, or `nil` for the hub's.
    ///   - recurrence: The time between two firings, from 5 minutes to 5 weeks, in weeks, days, hours and minutes. `nil`
    ///     for a timer that fires once.
    ///   - recurrenceCalendar: The calendar in which the recurrence is counted, or `nil` for the Gregorian calendar. Only
    ///     its identifier counts.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Use init(name:fireDate:recurrence:).")
    public init(
        name: String,
        fireDate: Date,
        timeZone: TimeZone?,
        recurrence: DateComponents?,
        recurrenceCalendar: Calendar?
    ) {
        draft = Mutex(
            Draft(
                fireDate: fireDate,
                timeZone: timeZone,
                recurrence: recurrence,
                recurrenceCalendar: recurrenceCalendar
            )
        )
        super.init(name: name)
    }

    override init(_ id: UUID, _ homeReference: HomeReference) {
        draft = Mutex(Draft())
        super.init(id, homeReference)
    }

    /// The first time at which the timer fires.
    /// - Since: iOS 8.0
    public var fireDate: Date { times.fireDate }

    /// The time zone in which days are counted, or `nil` for the hub's.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Apple no longer supports this property.")
    public var timeZone: TimeZone? { times.timeZone }

    /// The time between two firings, or `nil` for a timer that fires once.
    /// - Since: iOS 8.0
    public var recurrence: DateComponents? { times.recurrence }

    /// The calendar in which the recurrence is counted, or `nil` for the Gregorian calendar.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Apple no longer supports this property.")
    public var recurrenceCalendar: Calendar? { times.recurrenceCalendar }

    /// Changes the first time at which the timer fires.
    ///
    /// Errors: ``HMError/Code/dateMustBeOnSpecifiedBoundaries`` if the seconds aren't 0, ``HMError/Code/fireDateInPast``
    /// for a timer that fires once, ``HMError/Code/cannotActivateTriggerTooFarInFuture`` if it is more than 5 weeks away
    /// and the timer is enabled; ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func updateFireDate(
        _ fireDate: Date,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        edit(completion) { _ throws(HMError) in
            .fireDate(fireDate)
        } before: {
            draft.withLock { $0.fireDate = fireDate }
        }
    }

    /// Changes the first time at which the timer fires; see the completion-handler form.
    /// - Since: iOS 8.0
    public func updateFireDate(_ fireDate: Date) async throws {
        try await completing { updateFireDate(fireDate, completionHandler: $0) }
    }

    /// Changes the time zone in which days are counted. Pass `nil` for the hub's time zone.
    ///
    /// Errors: ``HMError/Code/invalidParameter`` if the hub doesn't know the time zone;
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Apple no longer supports this method.")
    @preconcurrency
    public func updateTimeZone(
        _ timeZone: TimeZone?,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        edit(completion) { _ throws(HMError) in
            .timeZone(timeZone?.identifier)
        } before: {
            draft.withLock { $0.timeZone = timeZone }
        }
    }

    /// Changes the time zone in which days are counted; see the completion-handler form.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Apple no longer supports this method.")
    public func updateTimeZone(_ timeZone: TimeZone?) async throws {
        try await completing { updateTimeZone(timeZone, completionHandler: $0) }
    }

    /// Changes the time between two firings. Pass `nil` for a timer that fires once.
    ///
    /// Errors: ``HMError/Code/recurrenceTooSmall``, ``HMError/Code/recurrenceTooLarge`` also for months and years,
    /// ``HMError/Code/recurrenceMustBeOnSpecifiedBoundaries`` for seconds, ``HMError/Code/fireDateInPast`` if the timer
    /// would never fire again; ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func updateRecurrence(
        _ recurrence: DateComponents?,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        edit(completion) { _ throws(HMError) in
            .recurrence(try recurrence.map { components throws(HMError) in try RecurrenceInterval(components) })
        } before: {
            draft.withLock { $0.recurrence = recurrence }
        }
    }

    /// Changes the time between two firings; see the completion-handler form.
    /// - Since: iOS 8.0
    public func updateRecurrence(_ recurrence: DateComponents?) async throws {
        try await completing { updateRecurrence(recurrence, completionHandler: $0) }
    }

    override func definition(in home: HomeReference) throws(HMError) -> TriggerDefinition {
        let draft = draft.withLock { $0 }
        return .timer(
            TimerSchedule(
                fireDate: draft.fireDate,
                timeZone: draft.timeZone?.identifier,
                calendar: try draft.recurrenceCalendar.map { calendar throws(HMError) in try calendar.storedName },
                recurrence: try draft.recurrence.map { components throws(HMError) in
                    try RecurrenceInterval(components)
                }
            )
        )
    }

    private var times: Draft {
        guard isInHome else { return draft.withLock { $0 } }
        let schedule = read { record in
            if case .timer(let schedule) = record.definition { schedule } else { nil }
        }
        guard let schedule else { return Draft() }
        return Draft(
            fireDate: schedule.fireDate,
            timeZone: schedule.timeZone.flatMap { TimeZone(identifier: $0) },
            recurrence: schedule.recurrence?.components,
            recurrenceCalendar: schedule.calendar.flatMap { Calendar.Identifier(name: $0) }
                .map { Calendar(identifier: $0) }
        )
    }
}
