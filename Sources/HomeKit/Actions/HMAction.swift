public import Foundation

/// An action of an action set. Subclasses say what it does, such as ``HMCharacteristicWriteAction``.
/// - Since: iOS 8.0
open class HMAction: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its own stored properties are immutable.

    /// The action's identity. It never changes.
    /// - Since: iOS 9.0
    open var uniqueIdentifier: UUID { id }

    private let id: UUID

    /// Creates an action that does nothing.
    /// - Since: iOS 8.0
    @available(*, deprecated, message: "Create an instance of a subclass.")
    public override init() {
        id = UUID()
    }

    init(_ id: UUID) {
        self.id = id
    }
}
