public import Foundation
import HAPCatalog
import HomeModel

// Conditions of triggers. An app combines them with NSCompoundPredicate.

extension HMEventTrigger {
    /// Returns the condition that it is before sunrise or sunset.
    ///
    /// - Parameters:
    ///   - significantEvent: The raw value of an ``HMSignificantEvent``.
    ///   - offset: The time after the event, in hours and minutes; negative numbers are before it.
    /// - Since: iOS 9.0
    @available(*, deprecated, message: "Use predicateForEvaluatingTriggerOccurring(beforeSignificantEvent:).")
    public class func predicateForEvaluatingTrigger(
        occurringBefore significantEvent: String,
        applyingOffset offset: DateComponents?
    ) -> NSPredicate {
        ConditionPredicate { () throws(HMError) in
            .sun(.before, try SunMoment(HMSignificantEvent(rawValue: significantEvent), offset: offset))
        }
    }

    /// Returns the condition that it is before sunrise or sunset, or a time relative to it.
    /// - Since: iOS 11.0
    public class func predicateForEvaluatingTriggerOccurring(
        beforeSignificantEvent significantEvent: HMSignificantTimeEvent
    ) -> NSPredicate {
        ConditionPredicate { () throws(HMError) in .sun(.before, try significantEvent.moment) }
    }

    /// Returns the condition that it is after sunrise or sunset.
    ///
    /// - Parameters:
    ///   - significantEvent: The raw value of an ``HMSignificantEvent``.
    ///   - offset: The time after the event, in hours and minutes; negative numbers are before it.
    /// - Since: iOS 9.0
    @available(*, deprecated, message: "Use predicateForEvaluatingTriggerOccurring(afterSignificantEvent:).")
    public class func predicateForEvaluatingTrigger(
        occurringAfter significantEvent: String,
        applyingOffset offset: DateComponents?
    ) -> NSPredicate {
        ConditionPredicate { () throws(HMError) in
            .sun(.after, try SunMoment(HMSignificantEvent(rawValue: significantEvent), offset: offset))
        }
    }

    /// Returns the condition that it is after sunrise or sunset, or a time relative to it.
    /// - Since: iOS 11.0
    public class func predicateForEvaluatingTriggerOccurring(
        afterSignificantEvent significantEvent: HMSignificantTimeEvent
    ) -> NSPredicate {
        ConditionPredicate { () throws(HMError) in .sun(.after, try significantEvent.moment) }
    }

    /// Returns the condition that it is after one and before another time relative to sunrise or sunset.
    /// - Since: iOS 11.0
    public class func predicate(
        forEvaluatingTriggerOccurringBetweenSignificantEvent firstSignificantEvent: HMSignificantTimeEvent,
        secondSignificantEvent: HMSignificantTimeEvent
    ) -> NSPredicate {
        ConditionPredicate { () throws(HMError) in
            .betweenSun(try firstSignificantEvent.moment, try secondSignificantEvent.moment)
        }
    }

    /// Returns the condition that it is before a date or a time of day. Components that are `nil` match any value.
    /// - Since: iOS 9.0
    public class func predicateForEvaluatingTrigger(occurringBefore dateComponents: DateComponents) -> NSPredicate {
        ConditionPredicate { () throws(HMError) in .calendar(.before, try CalendarMoment(dateComponents)) }
    }

    /// Returns the condition that it is a date or a time of day. Components that are `nil` match any value.
    /// - Since: iOS 9.0
    public class func predicateForEvaluatingTrigger(occurringOn dateComponents: DateComponents) -> NSPredicate {
        ConditionPredicate { () throws(HMError) in .calendar(.on, try CalendarMoment(dateComponents)) }
    }

    /// Returns the condition that it is after a date or a time of day. Components that are `nil` match any value.
    /// - Since: iOS 9.0
    public class func predicateForEvaluatingTrigger(occurringAfter dateComponents: DateComponents) -> NSPredicate {
        ConditionPredicate { () throws(HMError) in .calendar(.after, try CalendarMoment(dateComponents)) }
    }

    /// Returns the condition that it is after one and before another date or time of day.
    /// - Since: iOS 11.0
    public class func predicateForEvaluatingTriggerOccurringBetweenDate(
        with firstDateComponents: DateComponents,
        secondDateWith secondDateWithComponents: DateComponents
    ) -> NSPredicate {
        ConditionPredicate { () throws(HMError) in
            .betweenCalendar(try CalendarMoment(firstDateComponents), try CalendarMoment(secondDateWithComponents))
        }
    }

    /// Returns the condition that a comparison of a characteristic's value with another value is true.
    ///
    /// - Parameters:
    ///   - characteristic: The characteristic, which must be readable or support notifications.
    ///   - operatorType: `<`, `<=`, `==`, `!=`, `>=` or `>`. Apple's framework raises an exception for any other operator.
    ///     Here the predicate's use ends with ``HMError/Code/invalidParameter``.
    ///   - value: The value: a number of any type, a Bool, a string or data.
    /// - Since: iOS 9.0
    public class func predicateForEvaluatingTrigger(
        _ characteristic: HMCharacteristic,
        relatedBy operatorType: NSComparisonPredicate.Operator,
        toValue value: Any
    ) -> NSPredicate {
        let comparison: Condition.Comparison? =
            switch operatorType {
            case .lessThan: .less
            case .lessThanOrEqualTo: .lessOrEqual
            case .equalTo: .equal
            case .notEqualTo: .notEqual
            case .greaterThanOrEqualTo: .greaterOrEqual
            case .greaterThan: .greater
            default: nil
            }
        let condition = Result { () throws(HMError) -> Condition in
            try characteristic.homeReference.check()
            guard let identity = characteristic.lastIdentity, let format = characteristic.format else {
                throw HMError(.notFound)
            }
            guard let comparison else {
                throw HMError(.invalidParameter, reason: "A condition compares with <, <=, ==, !=, >= or >.")
            }
            let value = try CharacteristicValue(checking: value)
            return .characteristic(identity, comparison, value.converted(to: format) ?? value)
        }
        return ConditionPredicate(condition, in: characteristic.homeReference)
    }

    /// Returns the condition that users are at home or away.
    ///
    /// - Parameter presenceEvent: An event of type ``HMPresenceEventType/atHome`` or ``HMPresenceEventType/notAtHome``. The
    ///   use of any other type ends with ``HMError/Code/invalidParameter``.
    /// - Since: iOS 11.0
    public class func predicateForEvaluatingTrigger(withPresence presenceEvent: HMPresenceEvent) -> NSPredicate {
        ConditionPredicate { () throws(HMError) in .presence(try presenceEvent.presence) }
    }
}
