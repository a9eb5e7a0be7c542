import Foundation
import Synchronization

/// Follows whether the app is in front of anybody.
///
/// What shows the app posts the notifications that UIKit posts, `UIApplicationDidEnterBackgroundNotification` and
/// `UIApplicationWillEnterForegroundNotification`. An app of which nobody says so is in front.
final class AppLifecycle: Sendable {
    // A class, because its end takes the observers back.

    private static let background = Notification.Name("UIApplicationDidEnterBackgroundNotification")
    private static let foreground = Notification.Name("UIApplicationWillEnterForegroundNotification")

    private let center: NotificationCenter
    private let observers: Mutex<[any NSObjectProtocol]>

    /// Begins to follow.
    ///
    /// - Parameter onChange: Told of each change, on the thread that posts it.
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
