/// An error in a value that is invalid for a characteristic.
public enum CharacteristicValueError: Error, Hashable, Sendable {
    /// The value doesn't match the format.
    case wrongType(CharacteristicValue, expected: CharacteristicFormat)
    /// The number is below the minimum, or below the format's own range.
    case belowMinimum(CharacteristicValue, minimum: CharacteristicValue)
    /// The number is above the maximum, or above the format's own range.
    case aboveMaximum(CharacteristicValue, maximum: CharacteristicValue)
    /// The number is between two steps.
    case notAStep(CharacteristicValue, step: CharacteristicValue)
    /// The string or data is too long. Both lengths are in bytes.
    case tooLong(Int, maximum: Int)
    /// The integer is not among the valid ones.
    case notAValidValue(CharacteristicValue)
}

extension CharacteristicValueError: CustomStringConvertible {
    /// The reason, with the violated bound.
    public var description: String {
        switch self {
        case .wrongType(let value, let format): "'\(value)' is not a value of format \(format)"
        case .belowMinimum(let value, let minimum): "\(value) is below the minimum \(minimum)"
        case .aboveMaximum(let value, let maximum): "\(value) is above the maximum \(maximum)"
        case .notAStep(let value, let step): "\(value) is not on a step of \(step)"
        case .tooLong(let length, let maximum): "\(length) bytes exceed the maximum of \(maximum)"
        case .notAValidValue(let value): "\(value) is not one of the valid values"
        }
    }
}
