import Foundation
import HAPCatalog

extension CharacteristicValue {
    /// Creates a value from an app's value: any number, a Bool, a string or data, boxed or not. Returns `nil` for other
    /// types.
    init?(_ value: Any) {
        switch value {
        case let value as NSNumber: self.init(value)
        case let value as Bool: self = .bool(value)
        case let value as any BinaryInteger:
            if let integer = Int64(exactly: value) {
                self = .integer(integer)
            } else if let integer = UInt64(exactly: value) {
                self = .number(integer)
            } else {
                return nil
            }
        case let value as any BinaryFloatingPoint: self = .double(Double(value))
        case let value as Decimal: self.init(NSDecimalNumber(decimal: value))
        case let value as String: self = .string(value)
        case let value as NSString: self = .string(String(describing: value))
        case let value as Data: self = .data(Array(value))
        case let value as NSData: self = .data(Array(Data(referencing: value)))
        case let value as [UInt8]: self = .data(value)
        default: return nil
        }
    }

    /// Creates a value from an app's value. Throws if it has another type.
    init(checking value: Any) throws(HMError) {
        guard let known = CharacteristicValue(value) else {
            throw HMError(.invalidValueType, reason: "A \(type(of: value)) is not a number, a Bool, a string or data.")
        }
        self = known
    }

    private init(_ number: NSNumber) {
        if let integer = Int64(exactly: number) {
            self = .integer(integer)
        } else if let integer = UInt64(exactly: number) {
            self = .number(integer)
        } else {
            self = .double(number.doubleValue)
        }
    }

    /// Returns the value as apps expect it: numbers and Bools as `NSNumber`, which can be cast to any type that can
    /// represent them, text as `String`, bytes as `Data`.
    ///
    /// - Parameter format: The characteristic's format, which determines whether an integer becomes a Bool or a double.
    func boxed(as format: CharacteristicFormat) -> Any {
        switch converted(to: format) ?? self {
        case .bool(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .string(let value): value
        case .data(let value): Data(value)
        }
    }

    /// The value as an object: an `NSNumber`, an `NSString` or an `NSData`.
    var object: any NSCopying {
        switch self {
        case .bool(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .string(let value): NSString(string: value)
        case .data(let value): NSData(data: Data(value))
        }
    }

    /// The value as an `NSNumber`, or `nil` if it isn't a number.
    var boxedNumber: NSNumber? { boxed(as: .other("")) as? NSNumber }
}
