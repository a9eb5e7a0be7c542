/// Numbers from a lower to an upper bound, both within; a bound that is nil does not limit.
public struct ThresholdRange: Hashable, Sendable, Codable {
    /// The smallest number.
    public var minimum: Double?
    /// The largest number.
    public var maximum: Double?

    /// Makes a range.
    public init(minimum: Double?, maximum: Double?) {
        self.minimum = minimum
        self.maximum = maximum
    }
}
