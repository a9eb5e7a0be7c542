/// Format, unit and bounds of a characteristic. `nil` means that the accessory states no such bound.
/// Source: HAP specification, table 6-3.
public struct CharacteristicMetadata: Hashable, Codable, Sendable {
    /// The format of the value.
    public var format: CharacteristicFormat
    /// The unit of a number.
    public var unit: CharacteristicUnit?
    /// The smallest number, itself allowed.
    public var minValue: CharacteristicValue?
    /// The largest number, itself allowed.
    public var maxValue: CharacteristicValue?
    /// The distance between two neighboring numbers, counted from ``minValue`` (from 0 without one).
    public var stepValue: CharacteristicValue?
    /// The most bytes of UTF-8 in a string; without one ``HAPLimits/defaultStringLength``.
    public var maxLength: Int?
    /// The most bytes of a value of format data; without one ``HAPLimits/defaultDataLength``.
    public var maxDataLength: Int?
    /// The only integers that are valid, ascending.
    public var validValues: [Int64]?
    /// The only ranges that hold valid integers. A value in ``validValues`` is valid beside them.
    public var validRanges: [ClosedRange<Int64>]?
    /// The manufacturer's description of the characteristic, for people.
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
