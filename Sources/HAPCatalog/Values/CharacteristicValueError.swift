/// Why a value is not one that a characteristic can have.
public enum CharacteristicValueError: Error, Hashable, Sendable {
    /// The value is of another kind than the format.
    case wrongType(CharacteristicValue, expected: CharacteristicFormat)
    /// The number is below the minimum, or below the format's own range.
    case belowMinimum(CharacteristicValue, minimum: CharacteristicValue)
    /// The number is above the maximum, or above the format's own range.
    case aboveMaximum(CharacteristicValue, maximum: CharacteristicValue)
    /// The number lies between two steps.
    case notAStep(CharacteristicValue, step: CharacteristicValue)
    /// The text or the bytes are too long; both numbers count bytes.
    case tooLong(Int, maximum: Int)
    /// The integer is not among the valid ones.
    case notAValidValue(CharacteristicValue)
}

extension CharacteristicValueError: CustomStringConvertible {
    /// What is wrong and what would be right.
    public var description: String {
        switch self {
        case .wrongType(let value, let format): "'\(value)' is no value of format \(format)"
        case .belowMinimum(let value, let minimum): "\(value) is below the minimum \(minimum)"
        case .aboveMaximum(let value, let maximum): "\(value) is above the maximum \(maximum)"
        case .notAStep(let value, let step): "\(value) is not on a step of \(step)"
        case .tooLong(let length, let maximum): "\(length) bytes are more than the maximum of \(maximum)"
        case .notAValidValue(let value): "\(value) is not one of the valid values"
        }
    }
}
