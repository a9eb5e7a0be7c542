/// A value that holds a secret: printing, interpolating or dumping it shows its type only.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// The type's name and nothing of the secret.
    public var description: String { "\(Self.self)(redacted)" }
    /// The type's name and nothing of the secret.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
