public import Foundation
import Synchronization

/// A region of the Earth. Subclasses such as ``CLCircularRegion`` define its shape.
///
/// - Since: iOS 4.0
public class CLRegion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // @unchecked because the class has a subclass. Its mutable state is guarded by a lock.

    private struct Crossings {
        var entry = true
        var exit = true
    }

    private let crossings = Mutex(Crossings())

    /// The name that identifies the region within the app.
    public let identifier: String

    init(identifier: String) {
        self.identifier = identifier
    }

    /// Whether to notify on entry (default: `true`).
    ///
    /// - Since: iOS 7.0
    public var notifyOnEntry: Bool {
        get { crossings.withLock { $0.entry } }
        set { crossings.withLock { $0.entry = newValue } }
    }

    /// Whether to notify on exit (default: `true`).
    ///
    /// - Since: iOS 7.0
    public var notifyOnExit: Bool {
        get { crossings.withLock { $0.exit } }
        set { crossings.withLock { $0.exit = newValue } }
    }

    // MARK: Copying and coding

    /// Returns a copy that can be changed independently.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = duplicate()
        copy.notifyOnEntry = notifyOnEntry
        copy.notifyOnExit = notifyOnExit
        return copy
    }

    func duplicate() -> CLRegion { CLRegion(identifier: identifier) }

    /// Always `true`.
    public class var supportsSecureCoding: Bool { true }

    /// Encodes all properties.
    public func encode(with coder: NSCoder) {
        coder.encode(identifier as NSString, forKey: "identifier")
        coder.encode(notifyOnEntry, forKey: "notifyOnEntry")
        coder.encode(notifyOnExit, forKey: "notifyOnExit")
    }

    /// Decodes the format of ``encode(with:)``, which differs from that of Apple's class.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier") else { return nil }
        self.identifier = String(describing: identifier)
        super.init()
        notifyOnEntry = coder.decodeBool(forKey: "notifyOnEntry")
        notifyOnExit = coder.decodeBool(forKey: "notifyOnExit")
    }

    /// Whether the other object is a region of the same class with the same identifier.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLRegion else { return false }
        return type(of: other) == type(of: self) && other.identifier == identifier
    }

    /// The hash value; equal regions have equal hash values.
    public override var hash: Int { identifier.hashValue }
}
