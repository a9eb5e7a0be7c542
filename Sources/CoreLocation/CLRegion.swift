public import Foundation
import Synchronization

/// A part of the Earth whose border can be crossed. What kind of part, its subclass says: ``CLCircularRegion``.
///
/// - Since: iOS 4.0
public class CLRegion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // @unchecked: the class has a subclass, so the compiler cannot know; what can change is behind a lock.

    private struct Crossings {
        var entry = true
        var exit = true
    }

    private let crossings = Mutex(Crossings())

    /// The name that tells this region from others of the app.
    public let identifier: String

    init(identifier: String) {
        self.identifier = identifier
    }

    /// Whether it matters that the region is entered. True unless it is changed.
    ///
    /// - Since: iOS 7.0
    public var notifyOnEntry: Bool {
        get { crossings.withLock { $0.entry } }
        set { crossings.withLock { $0.entry = newValue } }
    }

    /// Whether it matters that the region is left. True unless it is changed.
    ///
    /// - Since: iOS 7.0
    public var notifyOnExit: Bool {
        get { crossings.withLock { $0.exit } }
        set { crossings.withLock { $0.exit = newValue } }
    }

    // MARK: Copying and coding

    /// A region that is changed independently of this one.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = duplicate()
        copy.notifyOnEntry = notifyOnEntry
        copy.notifyOnExit = notifyOnExit
        return copy
    }

    func duplicate() -> CLRegion { CLRegion(identifier: identifier) }

    /// Always true.
    public class var supportsSecureCoding: Bool { true }

    /// Writes everything.
    public func encode(with coder: NSCoder) {
        coder.encode(identifier as NSString, forKey: "identifier")
        coder.encode(notifyOnEntry, forKey: "notifyOnEntry")
        coder.encode(notifyOnExit, forKey: "notifyOnExit")
    }

    /// Reads what ``encode(with:)`` wrote; not what Apple's class writes.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier") else { return nil }
        self.identifier = String(describing: identifier)
        super.init()
        notifyOnEntry = coder.decodeBool(forKey: "notifyOnEntry")
        notifyOnExit = coder.decodeBool(forKey: "notifyOnExit")
    }

    /// Whether the other is a region of the same kind with the same identifier and the same border.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLRegion else { return false }
        return type(of: other) == type(of: self) && other.identifier == identifier
    }

    /// The hash value; equal regions have equal hash values.
    public override var hash: Int { identifier.hashValue }
}
