public import Foundation
import MediaRouting
import Synchronization

/// A detector of receivers on the network.
///
/// While detection is enabled, this process takes part in multicast DNS. Disable it when no route picker is shown. All
/// properties can be used on any thread. The notification is posted on the main queue.
/// - Since: iOS 11.0
open class AVRouteDetector: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its mutable state is guarded by a lock.

    private struct State {
        var observer: Int?
        var hasRoutes = false
    }

    private let routes = MediaRoutes.shared
    private let state = Mutex(State())

    /// Creates a detector. Detection isn't enabled.
    /// - Since: iOS 11.0
    public override init() {}

    deinit {
        if let observer = state.withLock({ $0.observer }) { routes.removeObserver(observer) }
    }

    /// Whether receivers are looked for (default: `false`).
    /// - Since: iOS 11.0
    open var isRouteDetectionEnabled: Bool {
        get { state.withLock { $0.observer != nil } }
        set {
            guard newValue != isRouteDetectionEnabled else { return }
            if newValue {
                let observer = routes.observe { [weak self] change in
                    if change == .receivers { self?.update() }
                }
                state.withLock { $0.observer = observer }
                routes.search()
            } else if let observer = state.withLock({ $0.observer.take() }) {
                routes.removeObserver(observer)
            }
            update()
        }
    }

    /// Whether there is a receiver besides this computer. `false` while detection isn't enabled.
    /// - Since: iOS 11.0
    open var multipleRoutesDetected: Bool { state.withLock { $0.hasRoutes } }

    private func update() {
        let hasRoutes = isRouteDetectionEnabled && !routes.receivers.isEmpty
        let isChanged = state.withLock { state in
            defer { state.hasRoutes = hasRoutes }
            return state.hasRoutes != hasRoutes
        }
        guard isChanged else { return }
        NotificationCenter.postOnMainQueue(.AVRouteDetectorMultipleRoutesDetectedDidChange, object: self)
    }
}

extension NSNotification.Name {
    /// The value of ``AVRouteDetector/multipleRoutesDetected`` has changed. The object is the detector.
    /// - Since: iOS 11.0
    public static let AVRouteDetectorMultipleRoutesDetectedDidChange = NSNotification.Name(
        "AVRouteDetectorMultipleRoutesDetectedDidChange"
    )
}
