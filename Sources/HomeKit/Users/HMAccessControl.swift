public import Foundation

/// What somebody may do. ``HMHomeAccessControl`` says it of a home.
/// - Since: iOS 11.2
public class HMAccessControl: NSObject, @unchecked Sendable {
    // @unchecked: the class has a subclass, so the compiler cannot know; it has nothing of its own.

    override init() {
        super.init()
    }
}
