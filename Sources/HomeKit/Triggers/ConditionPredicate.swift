import Foundation
import HAPCatalog
import HomeModel

/// A term of a trigger's condition as a predicate.
///
/// Foundation's predicates on Linux have no expressions and no archiving, and copies of subclasses lose their content. This
/// one is immutable, is its own copy, and can be compared. It is never evaluated: the hub evaluates conditions.
final class ConditionPredicate: NSPredicate {
    /// The term, or the error that its use ends with.
    let condition: Result<Condition, HMError>
    /// The home of the characteristic that an app named, if any.
    let home: HomeReference?

    init(_ condition: Result<Condition, HMError>, in home: HomeReference? = nil) {
        self.condition = condition
        self.home = home
        super.init(block: { _, _ in false })
    }

    /// Creates a predicate whose use ends with the error that `condition` throws.
    convenience init(_ condition: () throws(HMError) -> Condition) {
        self.init(Result(catching: condition))
    }

    required init?(coder: NSCoder) { nil }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ConditionPredicate else { return false }
        switch (condition, other.condition) {
        case (.success(let one), .success(let two)): return one == two
        default: return self === other
        }
    }

    override var hash: Int {
        switch condition {
        case .success(let condition): condition.hashValue
        case .failure(let error): error.hashValue
        }
    }

    /// The condition in the style of Apple's predicates, for logs.
    override var predicateFormat: String {
        switch condition {
        case .success(let condition): condition.format
        case .failure(let error): "invalid (\(error.code))"
        }
    }

    override var description: String { predicateFormat }

    override func evaluate(with object: Any?, substitutionVariables: [String: Any]?) -> Bool { false }
}

/// The condition that an app's predicate stands for. The predicate is read once, because compound predicates can't be
/// copied or compared.
enum AppCondition {
    /// No condition: always true.
    case none
    /// Never true.
    case never
    /// A condition, and the homes of the characteristics that it names.
    case condition(Condition, homes: [HomeReference])
    /// Not a condition.
    case invalid(HMError)

    init(_ predicate: NSPredicate?) {
        switch predicate {
        case nil:
            self = .none
        case let term as ConditionPredicate:
            switch term.condition {
            case .success(let condition): self = .condition(condition, homes: term.home.map { [$0] } ?? [])
            case .failure(let error): self = .invalid(error)
            }
        case let compound as NSCompoundPredicate:
            self.init(compound)
        case let predicate?:
            // Foundation's compounds are equal to each other and to constants, so only its own class is compared.
            let isPlain = type(of: predicate) == NSPredicate.self
            if isPlain, predicate == NSPredicate(value: true) {
                self = .none
            } else if isPlain, predicate == NSPredicate(value: false) {
                self = .never
            } else {
                let reason = "Use the predicates of HMEventTrigger. The hub can't evaluate an app's own predicate."
                self = .invalid(HMError(.invalidParameter, reason: reason))
            }
        }
    }

    private init(_ compound: NSCompoundPredicate) {
        let terms = compound.subpredicates.map { AppCondition($0) }
        switch compound.compoundPredicateType {
        case .and: self = Self.combined(terms, neutral: .none, absorbing: .never) { .all($0) }
        case .or: self = Self.combined(terms, neutral: .never, absorbing: .none) { .any($0) }
        case .not:
            switch terms.first ?? .never {
            case .none: self = .never
            case .never: self = .none
            case .condition(let condition, let homes): self = .condition(.not(condition), homes: homes)
            case .invalid(let error): self = .invalid(error)
            }
        @unknown default: self = .invalid(HMError(.invalidParameter))
        }
    }

    /// Combines terms, of which one kind of constant changes nothing and the other decides the result.
    private static func combined(
        _ terms: [AppCondition],
        neutral: AppCondition,
        absorbing: AppCondition,
        _ join: ([Condition]) -> Condition
    ) -> AppCondition {
        var conditions: [Condition] = []
        var homes: [HomeReference] = []
        var isDecided = false
        for term in terms {
            switch (term, absorbing) {
            case (.invalid, _): return term
            case (.none, .none), (.never, .never): isDecided = true
            case (.condition(let condition, let more), _):
                conditions.append(condition)
                homes += more
            default: continue
            }
        }
        if isDecided { return absorbing }
        return conditions.isEmpty ? neutral : .condition(join(conditions), homes: homes)
    }

    /// Returns the condition as a home stores it, or `nil` for none.
    func stored(in home: HomeReference) throws(HMError) -> Condition? {
        switch self {
        case .none: return nil
        case .never: throw HMError(.invalidParameter, reason: "The condition is never true.")
        case .invalid(let error): throw error
        case .condition(let condition, let homes):
            for other in homes { try home.check(other) }
            return condition
        }
    }
}

extension Condition {
    /// The condition as apps see it.
    var predicate: NSPredicate {
        switch self {
        case .all(let terms): NSCompoundPredicate(andPredicateWithSubpredicates: terms.map(\.predicate))
        case .any(let terms): NSCompoundPredicate(orPredicateWithSubpredicates: terms.map(\.predicate))
        case .not(let term): NSCompoundPredicate(notPredicateWithSubpredicate: term.predicate)
        default: ConditionPredicate(.success(self))
        }
    }

    /// The condition in the style of Apple's predicates.
    fileprivate var format: String {
        switch self {
        case .all(let terms): terms.map { "(\($0.format))" }.joined(separator: " AND ")
        case .any(let terms): terms.map { "(\($0.format))" }.joined(separator: " OR ")
        case .not(let term): "NOT (\(term.format))"
        case .characteristic(let characteristic, let comparison, let value):
            "\(HMCharacteristicKeyPath) == \(characteristic.characteristic) AND "
                + "\(HMCharacteristicValueKeyPath) \(comparison.sign) \(value.object)"
        case .calendar(let side, let moment): "now() \(side.sign) \(moment.format)"
        case .betweenCalendar(let from, let to): "now() > \(from.format) AND now() < \(to.format)"
        case .sun(let side, let moment): "now() \(side.sign) \(moment.format)"
        case .betweenSun(let from, let to): "now() > \(from.format) AND now() < \(to.format)"
        case .presence(let presence): "\(HMPresenceKeyPath) == \(presence.kind.rawValue)"
        case .unknown: "unknown"
        }
    }
}

extension Condition.Comparison {
    fileprivate var sign: String {
        switch self {
        case .less: "<"
        case .lessOrEqual: "<="
        case .equal: "=="
        case .notEqual: "!="
        case .greaterOrEqual: ">="
        case .greater: ">"
        }
    }
}

extension Condition.Side {
    fileprivate var sign: String {
        switch self {
        case .before: "<"
        case .on: "=="
        case .after: ">"
        }
    }
}

extension CalendarMoment {
    fileprivate var format: String { "{\(components)}" }
}

extension SunMoment {
    fileprivate var format: String {
        offset == 0 ? event.rawValue : "\(event.rawValue) \(offset < 0 ? "-" : "+") \(offset.magnitude) min"
    }
}
