package import HAPCatalog

/// What has to hold for an event trigger to fire: a small closed language. A term that this version does not know is
/// kept, and never holds.
package indirect enum Condition: Hashable, Sendable {
    /// How a characteristic's value compares with another.
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

    /// Which side of a moment it is.
    package enum Side: String, Hashable, Sendable, Codable, CaseIterable {
        /// Before it.
        case before
        /// In it; a moment of the sun is over at once.
        case on
        /// After it.
        case after
    }

    /// All of them hold.
    case all([Condition])
    /// One of them holds.
    case any([Condition])
    /// It does not hold.
    case not(Condition)
    /// A characteristic's last known value compares so.
    case characteristic(CharacteristicIdentity, Comparison, CharacteristicValue)
    /// It is before, in or after a moment of the calendar.
    case calendar(Side, CalendarMoment)
    /// It is after the first and before the second moment of the calendar.
    case betweenCalendar(CalendarMoment, CalendarMoment)
    /// It is before or after a moment of the sun, today.
    case sun(Side, SunMoment)
    /// It is after the first and before the second moment of the sun.
    case betweenSun(SunMoment, SunMoment)
    /// People are at home or away.
    case presence(Presence)
    /// A term of a newer version, as it was written.
    case unknown(JSONValue)
}

extension Condition {
    /// The number of terms, this one included.
    var size: Int {
        switch self {
        case .all(let terms), .any(let terms): terms.reduce(1) { $0 + $1.size }
        case .not(let term): 1 + term.size
        default: 1
        }
    }

    /// The terms that have no others within.
    var leaves: [Condition] {
        switch self {
        case .all(let terms) where !terms.isEmpty, .any(let terms) where !terms.isEmpty: terms.flatMap(\.leaves)
        case .not(let term): term.leaves
        default: [self]
        }
    }

    /// The condition with each term that has no others within replaced, or taken out for nil.
    ///
    /// - Returns: nil if nothing is left.
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
