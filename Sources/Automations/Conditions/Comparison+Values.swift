import HAPCatalog
import HomeModel

extension Condition.Comparison {
    /// Returns whether the comparison holds between two values; `nil` if they can't be compared.
    ///
    /// `true` and `false` are compared with numbers as 1 and 0.
    func holds(between left: CharacteristicValue, and right: CharacteristicValue) -> Bool? {
        let (left, right) = (left.comparable, right.comparable)
        if self == .equal || self == .notEqual {
            guard left.isNumber == right.isNumber else { return nil }
            return (left == right) == (self == .equal)
        }
        if let left = left.wholeNumber, let right = right.wholeNumber { return holds(left, right) }
        guard let left = left.number, let right = right.number, !left.isNaN, !right.isNaN else { return nil }
        return holds(left, right)
    }

    private func holds<Number: Comparable>(_ left: Number, _ right: Number) -> Bool {
        switch self {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .equal: left == right
        case .notEqual: left != right
        case .greaterOrEqual: left >= right
        case .greater: left > right
        }
    }
}

extension CharacteristicValue {
    /// The value with `true` and `false` as 1 and 0, as some accessories send them.
    var comparable: CharacteristicValue {
        if case .bool(let flag) = self { .integer(flag ? 1 : 0) } else { self }
    }

    fileprivate var isNumber: Bool { number != nil }
}
