public import Foundation

/// A user's permissions. ``HMHomeAccessControl`` has those in a home.
/// - Since: iOS 11.2
public class HMAccessControl: NSObject, @unchecked Sendable {
    // @unchecked because the class has a subclass. It has no stored properties.

    override init() {
        super.init()
    }
}
