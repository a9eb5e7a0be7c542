public import Foundation

/// A control of a camera. Its subclasses say what it controls.
/// - Since: iOS 10.0
public class HMCameraControl: NSObject, @unchecked Sendable {
    // @unchecked because the class has subclasses. It has no stored properties.

    override init() {
        super.init()
    }
}
