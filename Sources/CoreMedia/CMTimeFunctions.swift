/// Creates a time from a number of units, and the number of units in a second.
/// - Since: iOS 4.0
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }

/// Creates a time from seconds, rounded to a time scale.
///
/// Seconds that aren't a number result in an invalid time, and seconds out of range in infinity.
/// - Since: iOS 4.0
public func CMTimeMakeWithSeconds(_ seconds: Float64, preferredTimescale: Int32) -> CMTime {
    guard preferredTimescale > 0, !seconds.isNaN else { return .invalid }
    let units = seconds * Double(preferredTimescale)
    guard abs(units) < 9.2e18 else { return units > 0 ? .positiveInfinity : .negativeInfinity }
    let rounded = units.rounded(.toNearestOrAwayFromZero)
    var time = CMTime(value: Int64(rounded), timescale: preferredTimescale)
    if rounded != units { time.flags.insert(.hasBeenRounded) }
    return time
}

/// Returns the time in seconds: NaN if it is invalid or indefinite.
/// - Since: iOS 4.0
public func CMTimeGetSeconds(_ time: CMTime) -> Float64 { time.seconds }

/// Returns the sum of two times. If they have different time scales, the result has their least common multiple, or the
/// greatest possible scale if the multiple is too great.
/// - Since: iOS 4.0
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
    guard lhs.isValid, rhs.isValid else { return .invalid }
    if lhs.isIndefinite || rhs.isIndefinite { return .indefinite }
    if lhs.isPositiveInfinity || rhs.isPositiveInfinity {
        return lhs.isNegativeInfinity || rhs.isNegativeInfinity ? .invalid : .positiveInfinity
    }
    if lhs.isNegativeInfinity || rhs.isNegativeInfinity { return .negativeInfinity }
    let scale = commonScale(lhs.timescale, rhs.timescale)
    let first = lhs.convertScale(scale, method: .default)
    let second = rhs.convertScale(scale, method: .default)
    guard first.isNumeric, second.isNumeric else { return first.isNumeric ? second : first }
    let (sum, isOverflow) = first.value.addingReportingOverflow(second.value)
    if isOverflow { return first.value > 0 ? .positiveInfinity : .negativeInfinity }
    let epoch = first.epoch == second.epoch ? first.epoch : 0
    return CMTime(value: sum, timescale: scale, flags: first.flags.union(second.flags), epoch: epoch)
}

private func commonScale(_ first: CMTimeScale, _ second: CMTimeScale) -> CMTimeScale {
    var (divisor, rest) = (first, second)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    return Int32(exactly: Int64(first / divisor) * Int64(second)) ?? .max
}

/// Returns the first time minus the second.
/// - Since: iOS 4.0
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
    if rhs.isPositiveInfinity { return CMTimeAdd(lhs, .negativeInfinity) }
    if rhs.isNegativeInfinity { return CMTimeAdd(lhs, .positiveInfinity) }
    guard rhs.isNumeric, rhs.value != .min else { return CMTimeAdd(lhs, rhs) }
    return CMTimeAdd(lhs, CMTime(value: -rhs.value, timescale: rhs.timescale, flags: rhs.flags, epoch: rhs.epoch))
}

/// Returns the time multiplied by a whole number.
/// - Since: iOS 4.0
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
    guard time.isNumeric else { return time }
    let (product, isOverflow) = time.value.multipliedReportingOverflow(by: Int64(multiplier))
    if isOverflow { return (time.value > 0) == (multiplier > 0) ? .positiveInfinity : .negativeInfinity }
    return CMTime(value: product, timescale: time.timescale, flags: time.flags, epoch: time.epoch)
}

/// Returns the time multiplied by a number, rounded to its time scale.
/// - Since: iOS 4.0
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Float64) -> CMTime {
    guard time.isNumeric else { return time }
    return CMTimeMakeWithSeconds(time.seconds * multiplier, preferredTimescale: time.timescale)
}

/// Compares two times. Returns -1, 0 or 1.
///
/// The order is negative infinity, numbers, positive infinity, indefinite, invalid.
/// - Since: iOS 4.0
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
    let ranks = (time1.rank, time2.rank)
    guard ranks == (0, 0) else { return ranks.0 == ranks.1 ? 0 : ranks.0 < ranks.1 ? -1 : 1 }
    guard time1.epoch == time2.epoch else { return time1.epoch < time2.epoch ? -1 : 1 }
    let first = time1.value.multipliedFullWidth(by: Int64(time2.timescale))
    let second = time2.value.multipliedFullWidth(by: Int64(time1.timescale))
    if first == second { return 0 }
    return first < second ? -1 : 1
}

/// Returns the earlier time.
/// - Since: iOS 4.0
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time1 > time2 ? time2 : time1 }

/// Returns the later time.
/// - Since: iOS 4.0
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time1 < time2 ? time2 : time1 }

/// Returns the time without its sign.
/// - Since: iOS 4.0
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
    if time.isNegativeInfinity { return .positiveInfinity }
    guard time.isNumeric, time.value < 0 else { return time }
    return CMTimeMultiply(time, multiplier: -1)
}

/// Returns the time in another time scale, rounded.
/// - Since: iOS 4.0
public func CMTimeConvertScale(_ time: CMTime, timescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
    time.convertScale(timescale, method: method)
}
