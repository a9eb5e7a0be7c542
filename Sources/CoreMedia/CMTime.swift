/// A number of units of time.
/// - Since: iOS 4.0
public typealias CMTimeValue = Int64
/// A number of units in a second.
/// - Since: iOS 4.0
public typealias CMTimeScale = Int32
/// A number that distinguishes times of the same value, for example in different loops.
/// - Since: iOS 4.0
public typealias CMTimeEpoch = Int64

/// The kind of a time.
/// - Since: iOS 4.0
public struct CMTimeFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    /// - Since: iOS 4.0
    public let rawValue: UInt32

    /// Creates flags from bits.
    /// - Since: iOS 4.0
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The time is valid.
    /// - Since: iOS 4.0
    public static let valid = CMTimeFlags(rawValue: 1 << 0)
    /// The time was rounded, for example to another time scale.
    /// - Since: iOS 4.0
    public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
    /// The time is later than all others.
    /// - Since: iOS 4.0
    public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
    /// The time is earlier than all others.
    /// - Since: iOS 4.0
    public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
    /// The time isn't known, for example the duration of an item that isn't loaded.
    /// - Since: iOS 4.0
    public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
    /// The bits of all times that aren't numbers.
    /// - Since: iOS 4.0
    public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// A way to round.
/// - Since: iOS 4.0
public enum CMTimeRoundingMethod: UInt32, Sendable {
    /// To the nearest value; halves away from zero. This is the default.
    /// - Since: iOS 4.0
    case roundHalfAwayFromZero = 1
    /// Towards zero.
    /// - Since: iOS 4.0
    case roundTowardZero = 2
    /// Away from zero.
    /// - Since: iOS 4.0
    case roundAwayFromZero = 3
    /// Towards zero if the time scale becomes smaller, otherwise away from zero.
    /// - Since: iOS 4.0
    case quickTime = 4
    /// Towards positive infinity.
    /// - Since: iOS 4.0
    case roundTowardPositiveInfinity = 5
    /// Towards negative infinity.
    /// - Since: iOS 4.0
    case roundTowardNegativeInfinity = 6

    /// The default.
    /// - Since: iOS 4.0
    public static let `default` = CMTimeRoundingMethod.roundHalfAwayFromZero
}

/// A time as a fraction: a number of units, and the number of units in a second.
///
/// Times can also be invalid, indefinite or infinite. Calculations with such times have such results, and results that
/// exceed the numbers' range are infinite. Equal times can have different time scales.
/// - Since: iOS 4.0
public struct CMTime: Sendable {
    /// The number of units.
    /// - Since: iOS 4.0
    public var value: CMTimeValue
    /// The number of units in a second, above 0 for valid times.
    /// - Since: iOS 4.0
    public var timescale: CMTimeScale
    /// The kind of the time.
    /// - Since: iOS 4.0
    public var flags: CMTimeFlags
    /// The epoch, usually 0.
    /// - Since: iOS 4.0
    public var epoch: CMTimeEpoch

    /// Creates an invalid time.
    /// - Since: iOS 4.0
    public init() {
        (value, timescale, flags, epoch) = (0, 0, [], 0)
    }

    /// Creates a time from all of its parts.
    /// - Since: iOS 4.0
    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
        (self.value, self.timescale, self.flags, self.epoch) = (value, timescale, flags, epoch)
    }

    /// Creates a time from a number of units. It is invalid if the time scale isn't above 0.
    /// - Since: iOS 4.0
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
    }

    /// Creates a time from seconds, rounded to a time scale.
    /// - Since: iOS 4.0
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        self = CMTimeMakeWithSeconds(seconds, preferredTimescale: preferredTimescale)
    }

    /// No time: 0 s.
    /// - Since: iOS 4.0
    public static let zero = CMTime(value: 0, timescale: 1)
    /// An invalid time.
    /// - Since: iOS 4.0
    public static let invalid = CMTime()
    /// A time that isn't known.
    /// - Since: iOS 4.0
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    /// A time later than all others.
    /// - Since: iOS 4.0
    public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    /// A time earlier than all others.
    /// - Since: iOS 4.0
    public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)

    /// Whether the time is valid. Infinite and indefinite times are.
    /// - Since: iOS 4.0
    public var isValid: Bool { flags.contains(.valid) }
    /// Whether the time is a number.
    /// - Since: iOS 4.0
    public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) }
    /// Whether the time isn't known.
    /// - Since: iOS 4.0
    public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
    /// Whether the time is positive infinity.
    /// - Since: iOS 4.0
    public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
    /// Whether the time is negative infinity.
    /// - Since: iOS 4.0
    public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
    /// Whether the time was rounded.
    /// - Since: iOS 4.0
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

    /// The time in seconds: NaN if it is invalid or indefinite, and infinite if it is infinite.
    /// - Since: iOS 4.0
    public var seconds: Double {
        if isPositiveInfinity { return .infinity }
        if isNegativeInfinity { return -.infinity }
        return isNumeric ? Double(value) / Double(timescale) : .nan
    }

    /// Returns the time in another time scale, rounded.
    /// - Since: iOS 4.0
    public func convertScale(_ newTimescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
        guard isNumeric else { return self }
        guard newTimescale > 0 else { return .invalid }
        guard newTimescale != timescale else { return self }
        let product = value.multipliedFullWidth(by: Int64(newTimescale))
        let divisor = Int64(timescale)
        // A quotient beyond 64 bits would trap.
        let exact = Double(value) * Double(newTimescale) / Double(timescale)
        guard abs(exact) < 9.2e18 else { return exact > 0 ? .positiveInfinity : .negativeInfinity }
        var (quotient, remainder) = divisor.dividingFullWidth(product)
        guard remainder != 0 else {
            return CMTime(value: quotient, timescale: newTimescale, flags: flags, epoch: epoch)
        }
        let isNegative = remainder < 0
        let isAway =
            switch method {
            case .roundHalfAwayFromZero: remainder.magnitude * 2 >= divisor.magnitude
            case .roundTowardZero: false
            case .roundAwayFromZero: true
            case .quickTime: newTimescale > timescale
            case .roundTowardPositiveInfinity: !isNegative
            case .roundTowardNegativeInfinity: isNegative
            }
        if isAway { quotient += isNegative ? -1 : 1 }
        return CMTime(
            value: quotient,
            timescale: newTimescale,
            flags: flags.union(.hasBeenRounded),
            epoch: epoch
        )
    }
}

extension CMTime: Hashable, Comparable {
    /// Returns whether two times are the same moment, whatever their time scales are.
    /// - Since: iOS 4.0
    public static func == (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) == 0 }

    /// Returns whether a time is before another one. Invalid times are after all others.
    /// - Since: iOS 4.0
    public static func < (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) < 0 }

    /// Hashes the time, so that equal times have equal hash values.
    /// - Since: iOS 4.0
    public func hash(into hasher: inout Hasher) {
        guard isNumeric else { return hasher.combine(rank) }
        hasher.combine(epoch)
        let divisor = Self.greatestDivisor(value.magnitude, UInt64(timescale))
        hasher.combine(value / Int64(divisor))
        hasher.combine(Int64(timescale) / Int64(divisor))
    }

    private static func greatestDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
        var (first, second) = (first, second)
        while first != 0 { (first, second) = (second % first, first) }
        return second
    }

    /// The order of the kinds of times.
    var rank: Int {
        if !isValid { return 3 }
        if isIndefinite { return 2 }
        if isPositiveInfinity { return 1 }
        return isNegativeInfinity ? -1 : 0
    }
}

extension CMTime {
    /// Returns the sum.
    /// - Since: iOS 4.0
    public static func + (left: CMTime, right: CMTime) -> CMTime { CMTimeAdd(left, right) }
    /// Returns the difference.
    /// - Since: iOS 4.0
    public static func - (left: CMTime, right: CMTime) -> CMTime { CMTimeSubtract(left, right) }
}

/// The number of nanoseconds in a second. It is in Apple's Dispatch, and not in that of Linux.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
