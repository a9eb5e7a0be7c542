/// Decides whether a write of an automation may still go out.
///
/// The hub prepares the write, and looks at its clock after the accessory has answered. If the hub is stopped between
/// looking and writing, the accessory refuses the write, because it is no longer prepared. So no accessory obeys later than
/// ``FiringTimes/lateness`` and ``FiringTimes/preparedWrite`` after the occurrence fell due.
package struct WriteFence: Hashable, Sendable {
    /// The last moment at which a write may begin, on a clock that runs while the machine sleeps.
    package let end: Duration

    /// Creates a fence for an occurrence.
    ///
    /// - Parameter due: When it fell due.
    package init(due: Duration) {
        end = due + FiringTimes.lateness
    }

    /// Returns whether a write may begin now, or a prepared one may be executed.
    package func allowsWrite(at now: Duration) -> Bool { now <= end }
}
