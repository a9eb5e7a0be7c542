package import HAPCatalog

/// The condition of an event trigger: a small, closed language. A term that this version does not know is preserved and
/// never true.
package indirect enum Condition: Hashable, Sendable {
    /// A comparison of a characteristic's value with another value.
    package enum Comparison: String, Hashable, Sendable, Codable, CaseIterable {
        /// <
        case less
        /// <=
        case lessOrEqual
        /// ==
        case equal
        /// !=
        case notEqual
        /// >=
        case greaterOrEqual
        /// >
        case greater
    }

    /// The time relative to a moment.
    package enum Side: String, Hashable, Sendable, Codable, CaseIterable {
        /// Before the moment.
        case before
        /// During the moment; never true of sunrise and sunset, which take no time.
        case on
        /// After the moment.
        case after
    }

    /// All terms are true.
    case all([Condition])
    /// At least one term is true.
    case any([Condition])
    /// The term is false.
    case not(Condition)
    /// The comparison with a characteristic's last known value is true.
    case characteristic(CharacteristicIdentity, Comparison, CharacteristicValue)
    /// The time is before, in or after a calendar moment.
    case calendar(Side, CalendarMoment)
    /// The time is after the first and before the second calendar moment.
    case betweenCalendar(CalendarMoment, CalendarMoment)
    /// The time is before or after today's sunrise or sunset.
    case sun(Side, SunMoment)
    /// The time is after the first and before the second moment of the sun.
    case betweenSun(SunMoment, SunMoment)
    /// Users are at home or away.
    case presence(Presence)
    /// A term of a newer version, as it was decoded.
    case unknown(JSONValue)
}

extension Condition {
    /// The number of terms, including this one.
    var size: Int {
        switch self {
        case .all(let terms), .any(let terms): terms.reduce(1) { $0 + $1.size }
        case .not(let term): 1 + term.size
        default: 1
        }
    }

    /// The terms that contain no other terms.
    var leaves: [Condition] {
        switch self {
        case .all(let terms) where !terms.isEmpty, .any(let terms) where !terms.isEmpty: terms.flatMap(\.leaves)
        case .not(let term): term.leaves
        default: [self]
        }
    }

    /// Returns the condition with each leaf replaced by the result of a closure, or removed if the result is `nil`.
    ///
    /// - Returns: The condition; `nil` if no term is left.
    package func mapLeaves<Failure>(
        _ transform: (Condition) throws(Failure) -> Condition?
    ) throws(Failure) -> Condition? {
        switch self {
        case .all(let terms) where !terms.isEmpty:
            let kept = try Self.map(terms, transform)
            return kept.isEmpty ? nil : .all(kept)
        case .any(let terms) where !terms.isEmpty:
            let kept = try Self.map(terms, transform)
            return kept.isEmpty ? nil : .any(kept)
        case .not(let term):
            return try term.mapLeaves(transform).map { .not($0) }
        default:
            return try transform(self)
        }
    }

    private static func map<Failure>(
        _ terms: [Condition],
        _ transform: (Condition) throws(Failure) -> Condition?
    ) throws(Failure) -> [Condition] {
        var kept: [Condition] = []
        for term in terms {
            if let term = try term.mapLeaves(transform) { kept.append(term) }
        }
        return kept
    }
}
