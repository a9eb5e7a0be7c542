import Foundation
import Synchronization

/// An observer of whether the app is in the background.
///
/// The app's user interface posts the same notifications as UIKit: `UIApplicationDidEnterBackgroundNotification` and
/// `UIApplicationWillEnterForegroundNotification`. Without them, the app counts as in the foreground.
final class AppLifecycle: Sendable {
    // This is a class because it removes its observers when it is deallocated.

    private static let background = Notification.Name("UIApplicationDidEnterBackgroundNotification")
    private static let foreground = Notification.Name("UIApplicationWillEnterForegroundNotification")

    private let center: NotificationCenter
    private let observers: Mutex<[any NSObjectProtocol]>

    /// Starts observing.
    ///
    /// - Parameter onChange: A closure that receives each change, on the thread that posts the notification.
    init(_ center: NotificationCenter, onChange: @escaping @Sendable (_ isInBackground: Bool) -> Void) {
        self.center = center
        let names = [(Self.background, true), (Self.foreground, false)]
        observers = Mutex(
            names.map { name, isInBackground in
                center.addObserver(forName: name, object: nil, queue: nil) { _ in onChange(isInBackground) }
            }
        )
    }

    deinit {
        for observer in observers.withLock({ $0 }) { center.removeObserver(observer) }
    }
}
