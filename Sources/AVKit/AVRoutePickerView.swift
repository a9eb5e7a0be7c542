public import AVFoundation
import AirPlay
import AirPlayNetwork
import MediaRouting

/// A picker of a receiver.
///
/// On Linux it is no view, because there is no common kind of views. An app shows ``routes``, ``currentRoute`` and
/// ``state-swift.property`` in its own way, between ``beginPresentingRoutes()`` and ``endPresentingRoutes()``, and calls
/// ``select(_:password:)`` for the user. The choice counts for all of the user's apps, as if it were made with `hearth airplay route`.
/// - Since: iOS 11.0
@MainActor
open class AVRoutePickerView: NSObject {
    /// A receiver that can be chosen.
    public struct Route: Identifiable, Hashable, Sendable {
        /// The receiver's ID.
        public let id: String
        /// The receiver's name.
        public let name: String
        /// Whether the receiver plays video.
        public let playsVideo: Bool
        /// Whether the receiver needs a password.
        public let needsPassword: Bool
    }

    /// The state that a picker shows.
    public enum State: Hashable, Sendable {
        /// There are no receivers: hide the picker.
        case none
        /// There are receivers, and none is used.
        case found
        /// The chosen receiver is used.
        case playing
    }

    /// The delegate, held weakly.
    /// - Since: iOS 11.0
    open weak var delegate: (any AVRoutePickerViewDelegate)?

    /// Whether receivers that play video come first (default: `false`).
    /// - Since: iOS 13.0
    open var prioritizesVideoDevices = false {
        didSet { media.server.prioritizesVideo = prioritizesVideoDevices }
    }

    private let media: MediaRoutes
    private let detector = AVRouteDetector()
    private var observer: Int?
    private var isPresentingOwn = false
    private var isPresentedElsewhere = false

    /// Creates a picker.
    /// - Since: iOS 11.0
    public override convenience init() {
        self.init(routes: .shared)
    }

    init(routes: MediaRoutes) {
        media = routes
        super.init()
        // The home's page has a picker for all apps, which this one hears of.
        observer = routes.observe { [weak self] change in
            guard change == .presentation else { return }
            Task { @MainActor [weak self] in self?.update() }
        }
        routes.server.start()
        isPresentedElsewhere = routes.server.isPresented
    }

    isolated deinit {
        if let observer { media.removeObserver(observer) }
    }

    /// Whether receivers are being presented, by this picker or by that of the home's page.
    public var isPresentingRoutes: Bool { isPresentingOwn || isPresentedElsewhere }

    /// Starts to look for receivers. Tells the delegate.
    public func beginPresentingRoutes() {
        guard !isPresentingOwn else { return }
        present { $0.isPresentingOwn = true }
        detector.isRouteDetectionEnabled = true
    }

    /// Stops looking for receivers. Tells the delegate.
    public func endPresentingRoutes() {
        guard isPresentingOwn else { return }
        detector.isRouteDetectionEnabled = false
        present { $0.isPresentingOwn = false }
    }

    /// Follows the picker of the home's page.
    private func update() {
        let isPresented = media.server.isPresented
        guard isPresented != isPresentedElsewhere else { return }
        present { $0.isPresentedElsewhere = isPresented }
    }

    /// Changes whether receivers are presented, and tells the delegate before the first and after the last picker.
    private func present(_ change: (AVRoutePickerView) -> Void) {
        let wasPresenting = isPresentingRoutes
        if !wasPresenting { delegate?.routePickerViewWillBeginPresentingRoutes(self) }
        change(self)
        if wasPresenting, !isPresentingRoutes { delegate?.routePickerViewDidEndPresentingRoutes(self) }
    }

    /// The receivers that were found, by name. This computer isn't among them.
    public var routes: [Route] {
        let video = media.videoReceivers
        let routes = media.receivers.map { found in
            Route(
                id: found.record.deviceID,
                name: found.record.name,
                playsVideo: video.contains(found.record.name),
                needsPassword: found.record.needsPassword
            )
        }
        guard prioritizesVideoDevices else { return routes }
        return routes.filter(\.playsVideo) + routes.filter { !$0.playsVideo }
    }

    /// The chosen receiver, or `nil` if audio stays on this computer, or the receiver wasn't found.
    public var currentRoute: Route? {
        guard let name = media.choice.receiver else { return nil }
        return routes.first { $0.name == name || $0.id == name }
    }

    /// The state to show.
    public var state: State {
        if media.active != nil { return .playing }
        return media.receivers.isEmpty ? .none : .found
    }

    /// Chooses a receiver for all of the user's apps.
    ///
    /// - Parameters:
    ///   - route: The receiver, or `nil` if audio is to stay on this computer.
    ///   - password: The receiver's password, if it needs one.
    /// - Throws: `CocoaError` if the choice can't be stored.
    public func select(_ route: Route?, password: String? = nil) throws {
        try media.choose(route?.name, password: password)
    }
}
