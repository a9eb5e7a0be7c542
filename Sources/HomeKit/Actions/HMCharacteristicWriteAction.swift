import Foundation

/// The writing of a value to a characteristic.
///
/// On Apple's systems the type of the value must be an `NSCopying`. Here it may be anything, because `any NSCopying`, which
/// apps write there, does not conform to itself in Swift; whether the characteristic takes the value is found out when it
/// is to be used.
/// - Since: iOS 8.0
public final class HMCharacteristicWriteAction<TargetValueType>: HMAction, @unchecked Sendable {
    // @unchecked: what can change is behind the lock.

    private let lock = NSLock()
    private var value: TargetValueType

    /// The characteristic that is written.
    /// - Since: iOS 8.0
    public let characteristic: HMCharacteristic

    /// Makes an action, which may then be added to an action set.
    /// - Since: iOS 8.0
    public init(characteristic: HMCharacteristic, targetValue: TargetValueType) {
        self.characteristic = characteristic
        value = targetValue
        super.init(UUID())
    }

    /// The value that is written.
    /// - Since: iOS 8.0
    public var targetValue: TargetValueType { lock.withLock { value } }

    /// Changes the value; ``targetValue`` shows it when the completion is called. The completion is called on the main
    /// queue.
    ///
    /// Errors: those of ``HMCharacteristic/writeValue(_:completionHandler:)`` that need no accessory, for a value that the
    /// characteristic does not take; ``targetValue`` stays then.
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

    /// Changes the value; see the form with a completion. Runs where the caller does, since the value may not be handed to
    /// another actor.
    /// - Since: iOS 8.0
    nonisolated(nonsending) public func updateTargetValue(_ targetValue: TargetValueType) async throws {
        try await completing { updateTargetValue(targetValue, completionHandler: $0) }
    }
}
