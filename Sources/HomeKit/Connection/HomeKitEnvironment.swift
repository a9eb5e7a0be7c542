package import Dispatch
import Foundation
package import HubAPI
import Synchronization

/// What managers and browsers are made in: which app this is, the way to its hub, and the queue of its callbacks.
///
/// All managers and browsers of one environment are one app to the hub and share a connection, which lasts as long as
/// one of them or of their objects.
package final class HomeKitEnvironment: Sendable {
    // A class, because it is the identity by which managers find their common connection.

    private struct WeakLink {
        weak var link: HubLink?
    }

    /// The environment of managers and browsers that are made in this task; nil means ``standIn``.
    @TaskLocal package static var current: HomeKitEnvironment?

    private static let installed = Mutex<HomeKitEnvironment?>(nil)

    /// The environment of managers and browsers that are made in this process outside of a task that has its own; nil
    /// means ``process``. Those that exist keep theirs.
    package static var standIn: HomeKitEnvironment? {
        get { installed.withLock { $0 } }
        set { installed.withLock { $0 = newValue } }
    }

    /// The environment of a manager or browser that is made here and now.
    static var present: HomeKitEnvironment { current ?? standIn ?? process }

    /// The app's identifier, for example `com.example.lights`.
    package let app: String
    /// Why the app wants to use the home.
    package let purpose: String
    /// Where completions and delegates are called: a serial queue.
    package let queue: DispatchQueue
    let retry: RetryPolicy
    let callLimit: CallTimeout
    /// Where the app is told that it goes to the background or comes back; see ``AppLifecycle``.
    let notifications: NotificationCenter
    let log: @Sendable (String) -> Void
    let transport: @Sendable () -> any HubTransport
    private let shared = Mutex(WeakLink())

    /// Makes an environment.
    ///
    /// - Parameters:
    ///   - app: The app's identifier.
    ///   - purpose: Why the app wants to use the home.
    ///   - queue: Where completions and delegates are called: a serial queue.
    ///   - retry: When to look for a hub again.
    ///   - callLimit: How long a call may take.
    ///   - notifications: Where the app is told that it goes to the background or comes back.
    ///   - log: Takes a line for whoever runs the app; standard error unless given.
    ///   - transport: Makes a new way to the hub for each try.
    package init(
        app: String,
        purpose: String,
        queue: DispatchQueue = .main,
        retry: RetryPolicy = .standard,
        callLimit: CallTimeout = .standard,
        notifications: NotificationCenter = .default,
        log: @escaping @Sendable (String) -> Void = { FileHandle.standardError.write(Data("HomeKit: \($0)\n".utf8)) },
        transport: @escaping @Sendable () -> any HubTransport
    ) {
        self.app = app
        self.purpose = purpose
        self.queue = queue
        self.retry = retry
        self.callLimit = callLimit
        self.notifications = notifications
        self.log = log
        self.transport = transport
    }

    /// The connection of this environment, made at first use and again after the last user of it is gone.
    func link() -> HubLink {
        shared.withLock { shared in
            if let link = shared.link { return link }
            let link = HubLink(environment: self)
            shared.link = link
            return link
        }
    }
}
