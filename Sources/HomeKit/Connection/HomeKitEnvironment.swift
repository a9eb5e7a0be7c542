package import Dispatch
import Foundation
package import HubAPI
package import HubClient
import Synchronization

/// The environment of managers and browsers: their app, the transport to its hub, and the queue of its callbacks.
///
/// All managers and browsers of one environment are one app to the hub. They share a connection, which lasts as long as
/// they or their objects.
package final class HomeKitEnvironment: Sendable {
    // This is a class because managers find their common connection by its identity.

    private struct WeakLink {
        weak var link: HubLink?
    }

    /// The environment of managers and browsers created in this task; `nil` means ``standIn``.
    @TaskLocal package static var current: HomeKitEnvironment?

    private static let installed = Mutex<HomeKitEnvironment?>(nil)

    /// The environment of managers and browsers created outside of a task with its own; `nil` means ``process``. Existing
    /// ones keep theirs.
    package static var standIn: HomeKitEnvironment? {
        get { installed.withLock { $0 } }
        set { installed.withLock { $0 = newValue } }
    }

    /// The environment of a manager or browser that is created now.
    static var present: HomeKitEnvironment { current ?? standIn ?? process }

    /// The app's identifier, for example `com.example.lights`.
    package let app: String
    /// The reason for the app's access.
    package let purpose: String
    /// The serial queue of completions and delegate calls.
    package let queue: DispatchQueue
    let retry: RetryPolicy
    let callLimit: CallTimeout
    /// The center that reports that the app goes to the background or returns; see ``AppLifecycle``.
    let notifications: NotificationCenter
    let log: @Sendable (String) -> Void
    let transport: @Sendable () -> any HubTransport
    private let shared = Mutex(WeakLink())

    /// Creates an environment.
    ///
    /// - Parameters:
    ///   - app: The app's identifier.
    ///   - purpose: The reason for the app's access.
    ///   - queue: The serial queue of completions and delegate calls.
    ///   - retry: The times of retries after the connection failed or ended.
    ///   - callLimit: The timeouts of calls.
    ///   - notifications: The center that reports that the app goes to the background or returns.
    ///   - log: A closure that logs a line (default: to standard error).
    ///   - transport: A closure that creates a transport for each attempt to connect.
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

    /// Returns the connection of this environment. It is created at first use, and again after its last user is gone.
    func link() -> HubLink {
        shared.withLock { shared in
            if let link = shared.link { return link }
            let link = HubLink(environment: self)
            shared.link = link
            return link
        }
    }
}
