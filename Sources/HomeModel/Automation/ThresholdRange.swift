/// A range of numbers that includes its bounds; a bound that is `nil` does not limit it.
package struct ThresholdRange: Hashable, Sendable, Codable {
    /// The smallest number.
    package var minimum: Double?
    /// The largest number.
    package var maximum: Double?

    /// Creates a range.
    package init(minimum: Double?, maximum: Double?) {
        self.minimum = minimum
        self.maximum = maximum
    }
}
