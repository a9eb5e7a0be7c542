public import Foundation

/// An action of an action set. Subclasses say what it does, such as ``HMCharacteristicWriteAction``.
///
/// Two objects are equal if they have the same identity. An action that an app made and the object that stands for it in
/// ``HMActionSet/actions`` are therefore equal.
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

    /// Whether the other object is an action with the same identity.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HMAction)?.uniqueIdentifier == uniqueIdentifier
    }

    /// The hash value; equal actions have equal hash values.
    open override var hash: Int { uniqueIdentifier.hashValue }
}
