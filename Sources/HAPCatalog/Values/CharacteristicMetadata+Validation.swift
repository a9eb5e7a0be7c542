extension CharacteristicMetadata {
    /// Returns the tolerance for the distance of a float from a step: a tenth of the step, as in Apple's accessory, or
    /// the accuracy of single precision, which many senders use.
    private static func tolerance(step: Double, value: Double) -> Double {
        max(step / 10, abs(value) * Double(Float.ulpOfOne))
    }

    /// Validates a value and converts it to the format (see ``CharacteristicValue/converted(to:)``).
    ///
    /// - Parameters:
    ///   - value: The value to write.
    ///   - checkingStep: Whether to reject a number between two steps. An accessory rejects it; a controller may leave
    ///     the check to the accessory. Floats have a tolerance and are not rounded.
    /// - Returns: The value to store or send.
    /// - Throws: ``CharacteristicValueError`` with the violated bound.
    public func validate(
        _ value: CharacteristicValue,
        checkingStep: Bool = true
    ) throws(CharacteristicValueError) -> CharacteristicValue {
        guard let value = value.converted(to: format) else {
            try validateRange(of: value)
            throw .wrongType(value, expected: format)
        }
        switch value {
        case .integer, .unsigned, .double:
            try validateBounds(of: value)
            if checkingStep { try validateStep(of: value) }
            try validateMembership(of: value)
        case .string(let text) where format == .string:
            try validateLength(text.utf8.count, maximum: maxLength ?? HAPLimits.defaultStringLength)
        case .data(let bytes) where format == .data:
            try validateLength(bytes.count, maximum: maxDataLength ?? HAPLimits.defaultDataLength)
        case .data(let bytes):
            // TLV8 has no metadata for its length.
            try validateLength(bytes.count, maximum: HAPLimits.defaultDataLength)
        case .bool, .string:
            break
        }
        return value
    }

    /// Validates a whole number against the range of an integer format, which applies in addition to the metadata.
    private func validateRange(of value: CharacteristicValue) throws(CharacteristicValueError) {
        guard let number = value.wholeNumber, let range = format.integerRange else { return }
        if number < range.lowerBound {
            throw .belowMinimum(value, minimum: minValue ?? CharacteristicValue(range.lowerBound))
        }
        if number > range.upperBound {
            throw .aboveMaximum(value, maximum: maxValue ?? CharacteristicValue(range.upperBound))
        }
    }

    private func validateBounds(of value: CharacteristicValue) throws(CharacteristicValueError) {
        if let minValue, value.isLess(than: minValue) { throw .belowMinimum(value, minimum: minValue) }
        if let maxValue, maxValue.isLess(than: value) { throw .aboveMaximum(value, maximum: maxValue) }
    }

    private func validateStep(of value: CharacteristicValue) throws(CharacteristicValueError) {
        guard let stepValue, let step = stepValue.number, step > 0 else { return }
        let base = minValue ?? .integer(0)
        if let step = stepValue.wholeNumber, let distance = value.wholeDistance(from: base) {
            guard distance % step != 0 else { return }
        } else {
            guard let value = value.number, let base = base.number else { return }
            let distance = abs((value - base).remainder(dividingBy: step))
            guard distance > Self.tolerance(step: step, value: value) else { return }
        }
        throw .notAStep(value, step: stepValue)
    }

    private func validateMembership(of value: CharacteristicValue) throws(CharacteristicValueError) {
        guard validValues != nil || validRanges != nil else { return }
        guard let number = value.wholeNumber.flatMap({ Int64(exactly: $0) }) else { throw .notAValidValue(value) }
        let isValid =
            validValues?.contains(number) ?? false || validRanges?.contains { $0.contains(number) } ?? false
        if !isValid { throw .notAValidValue(value) }
    }

    private func validateLength(_ length: Int, maximum: Int) throws(CharacteristicValueError) {
        if length > maximum { throw .tooLong(length, maximum: maximum) }
    }
}

extension CharacteristicValue {
    /// Creates a value from a bound of an integer format.
    fileprivate init(_ bound: Int128) {
        self = Int64(exactly: bound).map { .integer($0) } ?? .unsigned(UInt64(bound))
    }

    /// Returns the distance of two whole numbers, or `nil` if one of them isn't whole or the distance overflows.
    fileprivate func wholeDistance(from base: CharacteristicValue) -> Int128? {
        guard let left = wholeNumber, let right = base.wholeNumber else { return nil }
        let (distance, isTooFar) = left.subtractingReportingOverflow(right)
        return isTooFar ? nil : distance
    }

    /// Returns whether a number is less than another, or `false` if one of them isn't a number.
    fileprivate func isLess(than other: CharacteristicValue) -> Bool {
        if let left = wholeNumber, let right = other.wholeNumber { return left < right }
        guard let left = number, let right = other.number else { return false }
        return left < right
    }
}
