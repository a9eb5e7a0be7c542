extension CharacteristicMetadata {
    /// The number that lies a difference away from another one: on the nearest step, and no further than the bounds.
    ///
    /// A difference that is smaller than half a step still moves by one, so that every “brighter” is visible until the
    /// bound is reached.
    ///
    /// - Parameters:
    ///   - current: The number from which to count.
    ///   - difference: How far to go; negative downwards.
    /// - Throws: ``CharacteristicValueError/wrongType(_:expected:)`` if one of them isn't a finite number or the format isn't
    ///   a number's; ``CharacteristicValueError/notAValidValue(_:)`` if the accessory only takes other numbers there.
    package func value(
        _ current: CharacteristicValue,
        changedBy difference: CharacteristicValue
    ) throws(CharacteristicValueError) -> CharacteristicValue {
        guard format.isNumeric else { throw .wrongType(difference, expected: format) }
        guard let start = current.number, start.isFinite else { throw .wrongType(current, expected: format) }
        guard let distance = difference.number, distance.isFinite else {
            throw .wrongType(difference, expected: format)
        }
        let lower = minValue?.number ?? format.integerRange.map { Double($0.lowerBound) } ?? -.greatestFiniteMagnitude
        let upper = maxValue?.number ?? format.integerRange.map { Double($0.upperBound) } ?? .greatestFiniteMagnitude
        let step = stepValue?.number.flatMap { $0 > 0 ? $0 : nil } ?? (format == .float ? nil : 1)
        var target = Swift.min(Swift.max(start + distance, lower), upper)
        if let step {
            let base = minValue?.number ?? 0
            target = base + ((target - base) / step).rounded() * step
            if target == start, distance != 0 { target += distance > 0 ? step : -step }
            // The last step within the bounds; where none is, validation says so.
            if target > upper { target -= step }
            if target < lower { target += step }
        }
        let value: CharacteristicValue = format == .float ? .double(target) : Self.whole(target)
        return try validate(value, checkingStep: false)
    }

    private static func whole(_ number: Double) -> CharacteristicValue {
        Int64(exactly: number).map { .integer($0) } ?? UInt64(exactly: number).map { .number($0) } ?? .double(number)
    }
}
