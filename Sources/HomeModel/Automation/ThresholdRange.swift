/// Numbers from a lower to an upper bound, both within; a bound that is nil does not limit.
package struct ThresholdRange: Hashable, Sendable, Codable {
    /// The smallest number.
    package var minimum: Double?
    /// The largest number.
    package var maximum: Double?

    /// Makes a range.
    package init(minimum: Double?, maximum: Double?) {
        self.minimum = minimum
        self.maximum = maximum
    }
}
