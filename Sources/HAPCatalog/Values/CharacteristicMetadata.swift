/// The format, unit and bounds of a characteristic. A bound is `nil` if the accessory doesn't specify it. Source: HAP
/// specification, table 6-3.
public struct CharacteristicMetadata: Hashable, Codable, Sendable {
    /// The format of the value.
    public var format: CharacteristicFormat
    /// The unit of a number.
    public var unit: CharacteristicUnit?
    /// The minimum, which is allowed.
    public var minValue: CharacteristicValue?
    /// The maximum, which is allowed.
    public var maxValue: CharacteristicValue?
    /// The distance between adjacent numbers, counted from ``minValue``, or from 0 if there is none.
    public var stepValue: CharacteristicValue?
    /// The maximum length of a string in UTF-8 bytes. The default is ``HAPLimits/defaultStringLength``.
    public var maxLength: Int?
    /// The maximum length of a value of format data in bytes. The default is ``HAPLimits/defaultDataLength``.
    public var maxDataLength: Int?
    /// The valid integers, in ascending order.
    public var validValues: [Int64]?
    /// The ranges of valid integers. Values in ``validValues`` are valid too.
    public var validRanges: [ClosedRange<Int64>]?
    /// The manufacturer's human-readable description of the characteristic.
    public var manufacturerDescription: String?

    /// Creates metadata.
    public init(
        format: CharacteristicFormat,
        unit: CharacteristicUnit? = nil,
        minValue: CharacteristicValue? = nil,
        maxValue: CharacteristicValue? = nil,
        stepValue: CharacteristicValue? = nil,
        maxLength: Int? = nil,
        maxDataLength: Int? = nil,
        validValues: [Int64]? = nil,
        validRanges: [ClosedRange<Int64>]? = nil,
        manufacturerDescription: String? = nil
    ) {
        self.format = format
        self.unit = unit
        self.minValue = minValue
        self.maxValue = maxValue
        self.stepValue = stepValue
        self.maxLength = maxLength
        self.maxDataLength = maxDataLength
        self.validValues = validValues
        self.validRanges = validRanges
        self.manufacturerDescription = manufacturerDescription
    }
}
