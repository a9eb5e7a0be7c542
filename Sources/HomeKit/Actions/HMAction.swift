public import Foundation

/// Something that is done when an action set is run. What, its subclass says: ``HMCharacteristicWriteAction``.
/// - Since: iOS 8.0
open class HMAction: NSObject, @unchecked Sendable {
    // @unchecked: the class is open, so the compiler cannot know; what it has itself is constant.

    /// The action's identity. It never changes.
    /// - Since: iOS 9.0
    open var uniqueIdentifier: UUID { id }

    private let id: UUID

    /// Makes an action that does nothing.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Make one of a subclass.")
    public override init() {
        id = UUID()
    }

    init(_ id: UUID) {
        self.id = id
    }
}
