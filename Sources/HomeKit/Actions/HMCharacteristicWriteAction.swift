import Foundation
import HAPCatalog
import HomeModel
import HubAPI

/// An action that writes a value to a characteristic.
///
/// On Apple's systems the value's type must conform to `NSCopying`. Here it can be any type, because `any NSCopying`,
/// which apps write there, doesn't conform to itself in Swift. The value is validated when it is used.
///
/// ``HMActionSet/actions`` contains objects with the generic argument `NSCopying`, whose values are an `NSNumber`, an
/// `NSString` or an `NSData`. An action that an app made with another argument keeps working too, and is equal to that
/// object.
/// - Since: iOS 8.0
public final class HMCharacteristicWriteAction<TargetValueType>: HMAction, @unchecked Sendable {
    // @unchecked because the mutable state is guarded by the lock.

    private let lock = NSLock()
    private var value: TargetValueType
    /// The value in the action set that ``value`` stands for; `nil` before the action is in one.
    private var stored: CharacteristicValue?
    private var place: ActionPlace?

    /// The characteristic to write.
    /// - Since: iOS 8.0
    public let characteristic: HMCharacteristic

    /// Creates an action, which can then be added to an action set.
    /// - Since: iOS 8.0
    public init(characteristic: HMCharacteristic, targetValue: TargetValueType) {
        self.characteristic = characteristic
        value = targetValue
        super.init(UUID())
    }

    /// Creates the object for an action of an action set.
    init(
        _ id: UUID,
        _ characteristic: HMCharacteristic,
        _ value: TargetValueType,
        stored: CharacteristicValue,
        in place: ActionPlace
    ) {
        self.characteristic = characteristic
        self.value = value
        self.stored = stored
        self.place = place
        super.init(id)
    }

    /// The value to write.
    /// - Since: iOS 8.0
    public var targetValue: TargetValueType {
        let current = currentPlace?.value(of: uniqueIdentifier)
        return lock.withLock {
            if let current, stored != nil, current != stored, let new = current.object as? TargetValueType {
                (value, stored) = (new, current)
            }
            return value
        }
    }

    /// Changes the value. When the completion handler is called, on the main queue, ``targetValue`` returns the new
    /// value. If the action is in an action set, the action set changes for everyone.
    ///
    /// Errors: those of ``HMCharacteristic/writeValue(_:completionHandler:)`` that don't involve the accessory, if the
    /// value is invalid for the characteristic; ``HMError/Code/notFound`` if the action was removed from its action set,
    /// ``HMError/Code/objectNotAssociatedToAnyHome`` if the action set is gone,
    /// ``HMError/Code/insufficientPrivileges`` for guests. ``targetValue`` is then unchanged.
    /// - Since: iOS 8.0
    @preconcurrency
    public func updateTargetValue(
        _ targetValue: TargetValueType,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let sent = Sent(targetValue)
        guard let place = currentPlace else {
            let outcome: HMError?
            do throws(HMError) {
                try characteristic.checkWritable(targetValue)
                lock.withLock { value = targetValue }
                outcome = nil
            } catch {
                outcome = error
            }
            return characteristic.deliver { completion(outcome) }
        }
        place.homeReference.context.call(HubMethods.setActionValue, try change(to: targetValue, in: place)) {
            [self] error in
            if error == nil { settle(on: sent.value) }
            completion(error)
        }
    }

    /// Changes the value; see the completion-handler form. Runs on the caller's executor, because the value may not be
    /// sent to another actor.
    /// - Since: iOS 8.0
    nonisolated(nonsending) public func updateTargetValue(_ targetValue: TargetValueType) async throws {
        try await completing { updateTargetValue(targetValue, completionHandler: $0) }
    }

    private var currentPlace: ActionPlace? { lock.withLock { place } }

    private func change(
        to value: TargetValueType,
        in place: ActionPlace
    ) throws(HMError) -> InHome<SetActionValue> {
        try place.homeReference.check()
        let value = try CharacteristicValue(checking: value)
        return InHome(
            place.homeReference.home,
            SetActionValue(value, action: uniqueIdentifier, actionSet: place.actionSet)
        )
    }

    private func settle(on new: TargetValueType) {
        let current = currentPlace?.value(of: uniqueIdentifier)
        lock.withLock { (value, stored) = (new, current) }
    }
}

extension HMCharacteristicWriteAction: WriteAction {
    func request(for actionSet: UUID, in home: HomeReference) throws(HMError) -> AddAction {
        AddAction(
            id: uniqueIdentifier,
            try characteristic.identity(in: home),
            value: try CharacteristicValue(checking: lock.withLock { value }),
            actionSet: actionSet
        )
    }

    func join(_ place: ActionPlace) {
        let current = place.value(of: uniqueIdentifier)
        lock.withLock {
            self.place = place
            stored = current
        }
    }
}
