/// A moment for which a trigger waits: a time of day, sunrise or sunset, or the end of a duration.
/// - Since: iOS 11.0
public class HMTimeEvent: HMEvent, @unchecked Sendable {
    // @unchecked because the superclass is.
}
