import Foundation

extension NotificationCenter {
    /// Posts a notification on the main queue.
    ///
    /// It is posted by an operation, because an observer with the queue `OperationQueue.main` would otherwise wait for itself:
    /// Foundation on Linux doesn't know that a block on Dispatch's main queue runs there.
    static func postOnMainQueue(
        _ name: NSNotification.Name,
        object: any AnyObject & Sendable,
        userInfo: [String: any Sendable]? = nil
    ) {
        OperationQueue.main.addOperation {
            Self.default.post(name: name, object: object, userInfo: userInfo)
        }
    }
}
