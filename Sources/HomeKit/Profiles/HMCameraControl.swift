public import Foundation

/// Something of a camera that can be controlled. Its subclasses say what.
/// - Since: iOS 10.0
public class HMCameraControl: NSObject, @unchecked Sendable {
    // @unchecked: the class has subclasses, so the compiler cannot know; it has nothing of its own.

    override init() {
        super.init()
    }
}
