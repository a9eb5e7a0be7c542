import Foundation

/// An action that writes a value to a characteristic.
///
/// On Apple's systems the value's type must conform to `NSCopying`. Here it can be any type, because `any NSCopying`,
/// which apps write there, doesn't conform to itself in Swift. The value is validated when it is used.
/// - Since: iOS 8.0
public final class HMCharacteristicWriteAction<TargetValueType>: HMAction, @unchecked Sendable {
    // @unchecked because the mutable state is guarded by the lock.

    private let lock = NSLock()
    private var value: TargetValueType

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

    /// The value to write.
    /// - Since: iOS 8.0
    public var targetValue: TargetValueType { lock.withLock { value } }

    /// Changes the value. When the completion handler is called, on the main queue, ``targetValue`` returns the new
    /// value.
    ///
    /// Errors: those of ``HMCharacteristic/writeValue(_:completionHandler:)`` that don't involve the accessory, if the
    /// value is invalid for the characteristic. ``targetValue`` is then unchanged.
    /// - Since: iOS 8.0
    @preconcurrency
    public func updateTargetValue(
        _ targetValue: TargetValueType,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let outcome: HMError?
        do throws(HMError) {
            try characteristic.checkWritable(targetValue)
            lock.withLock { value = targetValue }
            outcome = nil
        } catch {
            outcome = error
        }
        characteristic.deliver { completion(outcome) }
    }

    /// Changes the value; see the completion-handler form. Runs on the caller's executor, because the value may not be
    /// sent to another actor.
    /// - Since: iOS 8.0
    nonisolated(nonsending) public func updateTargetValue(_ targetValue: TargetValueType) async throws {
        try await completing { updateTargetValue(targetValue, completionHandler: $0) }
    }
}
