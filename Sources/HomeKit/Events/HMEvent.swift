public import Foundation
import HomeModel
import Synchronization

/// Something that can happen, for which an ``HMEventTrigger`` waits. Subclasses say what.
///
/// An app makes events and passes them to a trigger. Once the trigger is in a home, ``HMEventTrigger/events`` returns the
/// same objects. Two objects are equal if they have the same identity.
/// - Since: iOS 9.0
public class HMEvent: NSObject, @unchecked Sendable {
    // @unchecked because the class has subclasses, which guard their state with locks. Its own state is guarded by a Mutex.

    private struct State {
        weak var trigger: HMEventTrigger?
        /// The event in the trigger's record that the object shows.
        var stored: TriggerEvent.Occurrence?
    }

    private let state = Mutex(State())

    /// The event's identity. It never changes.
    /// - Since: iOS 9.0
    public let uniqueIdentifier: UUID

    init(_ id: UUID) {
        uniqueIdentifier = id
    }

    /// Whether triggers of a home can wait for this kind of event. A hub supports every kind, so this is `false` only if
    /// the home was removed.
    /// - Since: iOS 11.0
    public class func isSupported(for home: HMHome) -> Bool {
        !home.homeReference.isGone
    }

    /// Whether the other object is an event with the same identity.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HMEvent)?.uniqueIdentifier == uniqueIdentifier
    }

    /// The hash value; equal events have equal hash values.
    public override var hash: Int { uniqueIdentifier.hashValue }

    /// Returns the event as the hub stores it. Throws if it can't be an event in the home.
    func occurrence(in home: HomeReference) throws(HMError) -> TriggerEvent.Occurrence {
        throw HMError(.invalidClass)
    }

    /// The characteristic that the event is about; `nil` for other kinds.
    var observed: HMCharacteristic? { nil }

    /// The object that a trigger returns for this one: itself, unless apps would not recognize its class or can change it.
    var shown: HMEvent { self }
}

extension HMEvent {
    /// The trigger that the event was passed to or came from.
    var trigger: HMEventTrigger? { state.withLock { $0.trigger } }

    /// Notes the trigger that the event was passed to.
    func attach(to trigger: HMEventTrigger) {
        state.withLock { $0.trigger = trigger }
    }

    /// Whether the object shows an event of a trigger's record.
    func shows(_ occurrence: TriggerEvent.Occurrence) -> Bool {
        state.withLock { $0.stored == occurrence }
    }

    /// Makes the object show an event of a trigger's record.
    func show(_ occurrence: TriggerEvent.Occurrence) {
        state.withLock { $0.stored = occurrence }
    }

    /// Carries out a change of the event, and of its trigger's record if the trigger is in a home.
    ///
    /// - Parameters:
    ///   - occurrence: A closure that returns the changed event as the hub stores it.
    ///   - apply: A closure that changes the object.
    ///   - completion: The app's completion handler, which is called on the callback queue.
    func change(
        to occurrence: (HomeReference) throws(HMError) -> TriggerEvent.Occurrence,
        apply: @escaping @Sendable () -> Void,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        guard let trigger, let home = trigger.target else {
            apply()
            let queue = trigger?.queue ?? HomeKitEnvironment.present.queue
            return queue.async { completion(nil) }
        }
        trigger.replace(self, in: home, with: occurrence) { error in
            if error == nil { apply() }
            completion(error)
        }
    }
}
