public import Foundation
import HomeModel
import Synchronization

/// The end of a duration that begins when a trigger runs. Only an end event of a trigger can be one: it undoes what the
/// trigger did.
/// - Since: iOS 11.0
public class HMDurationEvent: HMTimeEvent, NSCopying, NSMutableCopying, @unchecked Sendable {
    // @unchecked because the superclass is.

    fileprivate let seconds: Mutex<TimeInterval>

    /// Creates an event.
    ///
    /// - Parameter duration: The duration in seconds, from 1 to 24 hours, which is rounded to a whole number. It is
    ///   validated when the event is used.
    /// - Since: iOS 11.0
    public init(duration: TimeInterval) {
        seconds = Mutex(duration)
        super.init(UUID())
    }

    init(_ id: UUID, _ duration: TimeInterval) {
        seconds = Mutex(duration)
        super.init(id)
    }

    /// The duration in seconds.
    /// - Since: iOS 11.0
    public var duration: TimeInterval { seconds.withLock { $0 } }

    /// Returns an event that can't be changed: the event itself, or a copy of one that can be.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns an ``HMMutableDurationEvent`` with the same duration.
    public func mutableCopy(with zone: NSZone? = nil) -> Any { HMMutableDurationEvent(duration: duration) }

    override func occurrence(in home: HomeReference) throws(HMError) -> TriggerEvent.Occurrence {
        guard let seconds = Int(exactly: duration.rounded()) else { throw HMError(.invalidParameter) }
        return .duration(seconds: seconds)
    }
}

/// An ``HMDurationEvent`` that can be changed. A trigger takes the event as it is when it is passed to it.
/// - Since: iOS 11.0
public final class HMMutableDurationEvent: HMDurationEvent, @unchecked Sendable {
    // @unchecked because the superclass is.

    /// Creates an event.
    ///
    /// - Parameter duration: The duration in seconds.
    /// - Since: iOS 11.0
    public override init(duration: TimeInterval) {
        super.init(duration: duration)
    }

    /// The duration in seconds.
    /// - Since: iOS 11.0
    public override var duration: TimeInterval {
        get { super.duration }
        set { seconds.withLock { $0 = newValue } }
    }

    /// Returns a copy that can't be changed.
    public override func copy(with zone: NSZone? = nil) -> Any { HMDurationEvent(duration: duration) }

    override var shown: HMEvent { HMDurationEvent(uniqueIdentifier, duration) }
}
