public import Foundation

/// Something that is done when an action set is run. What, its subclass says: ``HMCharacteristicWriteAction``.
/// - Since: iOS 8.0
public class HMAction: NSObject, @unchecked Sendable {
    // @unchecked: the class has a subclass, so the compiler cannot know; what it has itself is constant.

    /// The action's identity. It never changes.
    /// - Since: iOS 9.0
    public let uniqueIdentifier = UUID()

    override init() {}
}
