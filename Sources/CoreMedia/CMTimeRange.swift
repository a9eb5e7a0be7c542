/// A range of times: its start and its duration.
/// - Since: iOS 4.0
public struct CMTimeRange: Hashable, Sendable {
    /// The start.
    /// - Since: iOS 4.0
    public var start: CMTime
    /// The duration.
    /// - Since: iOS 4.0
    public var duration: CMTime

    /// Creates an invalid range.
    /// - Since: iOS 4.0
    public init() {
        (start, duration) = (.invalid, .invalid)
    }

    /// Creates a range from its start and its duration.
    /// - Since: iOS 4.0
    public init(start: CMTime, duration: CMTime) {
        (self.start, self.duration) = (start, duration)
    }

    /// Creates a range from its start and its end.
    /// - Since: iOS 4.0
    public init(start: CMTime, end: CMTime) {
        self.init(start: start, duration: end - start)
    }

    /// An empty range at 0.
    /// - Since: iOS 4.0
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    /// An invalid range.
    /// - Since: iOS 4.0
    public static let invalid = CMTimeRange()

    /// The time after the last one.
    /// - Since: iOS 4.0
    public var end: CMTime { start + duration }
    /// Whether start and duration are valid, and the duration isn't negative.
    /// - Since: iOS 4.0
    public var isValid: Bool { start.isValid && duration.isValid && duration >= .zero }
    /// Whether the range is valid, and its duration is 0.
    /// - Since: iOS 4.0
    public var isEmpty: Bool { isValid && duration == .zero }

    /// Returns whether the range contains a time. The end isn't contained.
    /// - Since: iOS 4.0
    public func containsTime(_ time: CMTime) -> Bool {
        isValid && time.isNumeric && time >= start && time < end
    }
}

/// Creates a range from its start and its duration.
/// - Since: iOS 4.0
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, duration: duration)
}
