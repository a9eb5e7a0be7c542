public import Foundation
import HAPCatalog
import HomeModel

/// A change of a characteristic to a value, or to any value.
///
/// The characteristic must support notifications. On Apple's systems the value's type must conform to `NSCopying`. Here it
/// can be any type, because `any NSCopying`, which apps write there, doesn't conform to itself in Swift.
///
/// ``HMEventTrigger/events`` contains objects with the generic argument `NSCopying`, whose values are an `NSNumber`, an
/// `NSString` or an `NSData`. An event that an app made with another argument is equal to the object that stands for it.
/// - Since: iOS 9.0
public class HMCharacteristicEvent<TriggerValueType>: HMEvent, NSCopying, NSMutableCopying, @unchecked Sendable {
    // @unchecked because the mutable state is guarded by the lock.

    fileprivate struct Content {
        var characteristic: HMCharacteristic
        var value: TriggerValueType?
    }

    private let lock = NSLock()
    private var state: Content

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - characteristic: The characteristic.
    ///   - triggerValue: The value, or `nil` for any change. It is validated when the event is used.
    /// - Since: iOS 9.0
    public init(characteristic: HMCharacteristic, triggerValue: TriggerValueType?) {
        state = Content(characteristic: characteristic, value: triggerValue)
        super.init(UUID())
    }

    init(_ id: UUID, _ characteristic: HMCharacteristic, _ value: TriggerValueType?) {
        state = Content(characteristic: characteristic, value: value)
        super.init(id)
    }

    fileprivate var content: Content {
        get { lock.withLock { state } }
        set { lock.withLock { state = newValue } }
    }

    /// The characteristic.
    /// - Since: iOS 9.0
    public var characteristic: HMCharacteristic { content.characteristic }

    /// The value, or `nil` for any change.
    /// - Since: iOS 9.0
    public var triggerValue: TriggerValueType? { content.value }

    /// Changes the value, also in the event's trigger if that is in a home.
    ///
    /// Errors: ``HMError/Code/notificationNotSupported``, the errors of
    /// ``HMCharacteristic/writeValue(_:completionHandler:)`` for invalid values;
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 9.0
    @available(*, deprecated, message: "Use HMEventTrigger.updateEvents(_:completionHandler:).")
    @preconcurrency
    public func updateTriggerValue(
        _ triggerValue: TriggerValueType?,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let new = Sent(Content(characteristic: characteristic, value: triggerValue))
        change { home throws(HMError) in
            try Self.occurrence(of: new.value, in: home)
        } apply: { [self] in
            content = new.value
        } completion: {
            completion($0)
        }
    }

    /// Changes the value; see the completion-handler form. Runs on the caller's executor, because the value may not be
    /// sent to another actor.
    /// - Since: iOS 9.0
    @available(*, deprecated, message: "Use HMEventTrigger.updateEvents(_:).")
    nonisolated(nonsending) public func updateTriggerValue(_ triggerValue: TriggerValueType?) async throws {
        try await completing { updateTriggerValue(triggerValue, completionHandler: $0) }
    }

    /// Returns an event that can't be changed: the event itself, or a copy of one that can be.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns an ``HMMutableCharacteristicEvent`` with the same characteristic and value.
    public func mutableCopy(with zone: NSZone? = nil) -> Any {
        let content = content
        return HMMutableCharacteristicEvent(characteristic: content.characteristic, triggerValue: content.value)
    }

    override var observed: HMCharacteristic? { characteristic }

    override func occurrence(in home: HomeReference) throws(HMError) -> TriggerEvent.Occurrence {
        try Self.occurrence(of: content, in: home)
    }

    private static func occurrence(
        of content: Content,
        in home: HomeReference
    ) throws(HMError) -> TriggerEvent.Occurrence {
        let characteristic = try content.characteristic.identity(in: home)
        guard let value = content.value else { return .characteristic(characteristic, nil) }
        return .characteristic(characteristic, try CharacteristicValue(checking: value))
    }

    override var shown: HMEvent {
        if let event = self as? HMCharacteristicEvent<any NSCopying> { return event }
        let content = content
        return HMCharacteristicEvent<any NSCopying>(
            uniqueIdentifier,
            content.characteristic,
            content.value.flatMap { CharacteristicValue($0)?.object }
        )
    }
}

/// An ``HMCharacteristicEvent`` that can be changed. A trigger takes the event as it is when it is passed to it.
/// - Since: iOS 11.0
public final class HMMutableCharacteristicEvent<TriggerValueType>: HMCharacteristicEvent<TriggerValueType>,
    @unchecked Sendable
{
    // @unchecked because the superclass is.

    /// Creates an event.
    /// - Since: iOS 11.0
    public override init(characteristic: HMCharacteristic, triggerValue: TriggerValueType?) {
        super.init(characteristic: characteristic, triggerValue: triggerValue)
    }

    /// The characteristic.
    /// - Since: iOS 11.0
    public override var characteristic: HMCharacteristic {
        get { super.characteristic }
        set { content.characteristic = newValue }
    }

    /// The value, or `nil` for any change.
    /// - Since: iOS 11.0
    public override var triggerValue: TriggerValueType? {
        get { super.triggerValue }
        set { content.value = newValue }
    }

    /// Returns a copy that can't be changed.
    public override func copy(with zone: NSZone? = nil) -> Any {
        let content = content
        return HMCharacteristicEvent(characteristic: content.characteristic, triggerValue: content.value)
    }

    override var shown: HMEvent {
        let content = content
        let copy = HMCharacteristicEvent(uniqueIdentifier, content.characteristic, content.value)
        return copy.shown
    }
}
