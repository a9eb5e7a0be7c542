/// A value that contains a secret. Printing, interpolating or dumping it shows only its type.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// The type's name, without the secret.
    public var description: String { "\(Self.self)(redacted)" }
    /// The type's name, without the secret.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
