public import Foundation
import MediaRouting
import Synchronization

/// What an app's audio is for, and where it is heard.
///
/// The policy ``RouteSharingPolicy-swift.enum/longFormAudio`` sends the app's audio to the receiver that the user has chosen
/// for all apps, with `hearth airplay route`. Otherwise, and if the user has chosen none, audio stays on this computer, where
/// it is played with the sound off.
///
/// Apps on Linux never interrupt each other. All methods and properties can be used on any thread. Notifications are posted
/// on the main queue.
/// - Since: iOS 3.0
open class AVAudioSession: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its mutable state is guarded by a lock.

    private struct State {
        var category = Category.soloAmbient
        var mode = Mode.default
        var policy = RouteSharingPolicy.default
        var options: CategoryOptions = []
        var isActive = false
        var reportedRoute: [String] = []
        var observer: Int?
    }

    private static let session = AVAudioSession(routes: .shared)

    private let routes: MediaRoutes
    private let state = Mutex(State())

    init(routes: MediaRoutes) {
        self.routes = routes
        super.init()
        let reported = routes.activeReceivers
        let observer = routes.observe { [weak self] in self?.handle($0) }
        state.withLock { state in
            state.reportedRoute = reported
            state.observer = observer
        }
    }

    /// Returns the session of the app.
    /// - Since: iOS 3.0
    open class func sharedInstance() -> AVAudioSession { session }

    // MARK: Category

    /// The category (default: ``Category-swift.struct/soloAmbient``).
    /// - Since: iOS 3.0
    open var category: Category { state.withLock { $0.category } }
    /// The mode (default: ``Mode-swift.struct/default``).
    /// - Since: iOS 5.0
    open var mode: Mode { state.withLock { $0.mode } }
    /// The options of the category.
    /// - Since: iOS 6.0
    open var categoryOptions: CategoryOptions { state.withLock { $0.options } }
    /// The policy that decides whether the user's choice of a receiver counts.
    /// - Since: iOS 11.0
    open var routeSharingPolicy: RouteSharingPolicy { state.withLock { $0.policy } }

    /// The categories that can be set. Categories that record aren't among them.
    /// - Since: iOS 9.0
    open var availableCategories: [Category] { [.ambient, .soloAmbient, .playback] }
    /// The modes that can be set.
    /// - Since: iOS 9.0
    open var availableModes: [Mode] { [.default, .moviePlayback, .spokenAudio] }

    /// Sets the category.
    ///
    /// - Throws: `NSError` with the code ``ErrorCode/badParam`` if the category isn't available.
    /// - Since: iOS 3.0
    open func setCategory(_ category: Category) throws {
        try setCategory(category, mode: .default, policy: .default, options: [])
    }

    /// Sets the category and its options.
    ///
    /// - Throws: `NSError` with the code ``ErrorCode/badParam`` if the category isn't available.
    /// - Since: iOS 6.0
    open func setCategory(_ category: Category, options: CategoryOptions = []) throws {
        try setCategory(category, mode: .default, policy: .default, options: options)
    }

    /// Sets the category, the mode and the options.
    ///
    /// - Throws: `NSError` with the code ``ErrorCode/badParam`` if the category or the mode isn't available.
    /// - Since: iOS 10.0
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try setCategory(category, mode: mode, policy: .default, options: options)
    }

    /// Sets the category, the mode, the policy and the options.
    ///
    /// - Throws: `NSError` with the code ``ErrorCode/badParam`` if the category or the mode isn't available, if a long-form
    ///   policy isn't combined with ``Category-swift.struct/playback``, or if it is combined with
    ///   ``CategoryOptions-swift.struct/mixWithOthers``. Nothing is changed then.
    /// - Since: iOS 11.0
    open func setCategory(
        _ category: Category,
        mode: Mode,
        policy: RouteSharingPolicy,
        options: CategoryOptions = []
    ) throws {
        let isLongForm = policy == .longFormAudio || policy == .longFormVideo
        guard availableCategories.contains(category), availableModes.contains(mode) else {
            throw Self.error(.badParam, "The category or the mode isn't available. Audio can't be recorded.")
        }
        guard !isLongForm || category == .playback, !isLongForm || !options.contains(.mixWithOthers) else {
            throw Self.error(.badParam, "A long-form policy needs the category playback without mixWithOthers.")
        }
        state.withLock { state in
            (state.category, state.mode, state.policy) = (category, mode, policy)
            state.options = options
        }
        routes.isLongForm = isLongForm
    }

    /// Sets the mode.
    ///
    /// - Throws: `NSError` with the code ``ErrorCode/badParam`` if the mode isn't available.
    /// - Since: iOS 5.0
    open func setMode(_ mode: Mode) throws {
        guard availableModes.contains(mode) else { throw Self.error(.badParam, "The mode isn't available.") }
        state.withLock { $0.mode = mode }
    }

    /// Activates or deactivates the session. Players activate it when they start.
    ///
    /// - Parameters:
    ///   - active: Whether the session is active.
    ///   - options: Without effect, because no app interrupts another one that it would have to notify.
    /// - Throws: `NSError` with the code ``ErrorCode/isBusy`` if it is to be deactivated while a player plays.
    /// - Since: iOS 6.0
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        guard active || !routes.isPlaying else {
            throw Self.error(.isBusy, "A player plays. Pause it before the session is deactivated.")
        }
        state.withLock { $0.isActive = active }
        if !active { routes.releaseReceivers() }
    }

    private static func error(_ code: ErrorCode, _ text: String) -> NSError {
        NSError(domain: "NSOSStatusErrorDomain", code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: text])
    }

    // MARK: Route

    /// The route of audio that is played now. It has an output for each receiver that can be reached, or else this computer.
    /// - Since: iOS 6.0
    open var currentRoute: AVAudioSessionRouteDescription { Self.route(to: routes.activeReceivers) }

    /// The volume of the route, 0 to 1. It is 1 until a receiver's buttons have changed it.
    /// - Since: iOS 6.0
    open var outputVolume: Float { Float(routes.volume ?? 1) }

    /// The time from playing a sample to hearing it, in seconds: 2 with a receiver, otherwise 0.
    /// - Since: iOS 6.0
    open var outputLatency: TimeInterval { routes.active == nil ? 0 : 2 }

    private static func route(to receivers: [String]) -> AVAudioSessionRouteDescription {
        let local = AVAudioSessionPortDescription(.builtInSpeaker, name: "Speaker", uid: "Speaker")
        let outputs = receivers.map { AVAudioSessionPortDescription(.airPlay, name: $0, uid: "\($0)-airplay") }
        return AVAudioSessionRouteDescription(outputs.isEmpty ? [local] : outputs)
    }

    private func handle(_ change: MediaRoutes.Change) {
        let now = routes.activeReceivers
        let previous: [String]? = state.withLock { state in
            guard state.reportedRoute != now else { return nil }
            defer { state.reportedRoute = now }
            return state.reportedRoute
        }
        guard let previous else { return }
        let reason: RouteChangeReason
        switch change {
        case .failure, .loss: reason = .oldDeviceUnavailable
        case .recovery: reason = .newDeviceAvailable
        case .policy: reason = .categoryChange
        default: reason = previous.isEmpty ? .newDeviceAvailable : .override
        }
        let userInfo: [String: any Sendable] = [
            AVAudioSessionRouteChangeReasonKey: NSNumber(value: reason.rawValue),
            AVAudioSessionRouteChangePreviousRouteKey: Self.route(to: previous),
        ]
        NotificationCenter.postOnMainQueue(Self.routeChangeNotification, object: self, userInfo: userInfo)
    }
}

/// The key of the reason of a route change: an `NSNumber` with an ``AVAudioSession/RouteChangeReason``.
/// - Since: iOS 6.0
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// The key of the route before a route change: an ``AVAudioSessionRouteDescription``.
/// - Since: iOS 6.0
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
