/// A truth value for facts that may be unknown.
enum Truth: Hashable, Sendable {
    /// It is true.
    case yes
    /// It is false.
    case no
    /// It isn't known.
    case unknown

    init(_ isTrue: Bool) {
        self = isTrue ? .yes : .no
    }

    init(_ isTrue: Bool?) {
        self = isTrue.map { Truth($0) } ?? .unknown
    }

    /// The opposite; unknown if it is unknown.
    var opposite: Truth {
        switch self {
        case .yes: .no
        case .no: .yes
        case .unknown: .unknown
        }
    }

    /// Whether all values are true; true if there are none.
    static func all(_ values: [Truth]) -> Truth {
        if values.contains(.no) { return .no }
        return values.contains(.unknown) ? .unknown : .yes
    }

    /// Whether at least one value is true; false if there are none.
    static func any(_ values: [Truth]) -> Truth {
        if values.contains(.yes) { return .yes }
        return values.contains(.unknown) ? .unknown : .no
    }
}
