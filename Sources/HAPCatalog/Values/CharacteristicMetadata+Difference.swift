extension CharacteristicMetadata {
    /// Returns a number changed by a difference, rounded to the nearest step and clamped to the bounds.
    ///
    /// A difference smaller than half a step still changes the number by one step, so that every “brighter” is visible
    /// until the bound is reached.
    ///
    /// - Parameters:
    ///   - current: The number to change.
    ///   - difference: The difference, which may be negative.
    /// - Throws: ``CharacteristicValueError/wrongType(_:expected:)`` if an argument isn't a finite number or the format
    ///   isn't numeric, or ``CharacteristicValueError/notAValidValue(_:)`` if the result isn't a valid value.
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
            // Use the last step within the bounds. If there is none, validation fails.
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
