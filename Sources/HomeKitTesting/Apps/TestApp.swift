import Foundation
import HomeHub
import HomeKit
import Synchronization

/// An app of a test home. Managers and browsers created in it find only this home's hub.
///
/// Their callbacks are called on the main queue, as in any app.
public final class TestApp: Sendable {
    // This is a class because its identity makes its managers one app to the hub.

    /// The default name of an app.
    public static let defaultName = "app"

    /// The app's name, which is its identifier at the hub.
    public let name: String
    private let home: TestHome
    private let environment: HomeKitEnvironment
    private let notifications: NotificationCenter
    private let made = Mutex<HMHomeManager?>(nil)

    init(_ name: String, of person: TestPerson, on connector: HubConnector, in home: TestHome) {
        self.name = name
        self.home = home
        notifications = NotificationCenter()
        environment = HomeKitEnvironment(
            app: name,
            purpose: "To test \(name).",
            retry: connector.retry,
            notifications: notifications,
            log: { _ in },
            transport: { connector.transport(for: name, of: person.id) }
        )
    }

    /// Creates the app for all managers that the process creates outside of tests' tasks.
    init(forProcessIn home: TestHome) {
        name = Self.defaultName
        self.home = home
        notifications = .default
        environment = ProcessTestEnvironment.shared.environment
    }

    /// Runs code of the app. An `HMHomeManager()` created in it, or in its tasks, finds this home.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try HomeKitEnvironment.$current.withValue(environment, operation: body)
    }

    /// Runs asynchronous code of the app.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await HomeKitEnvironment.$current.withValue(environment, operation: body)
    }

    /// The app's manager, created on first use.
    public var manager: HMHomeManager {
        made.withLock { made in
            if let made { return made }
            let manager = HMHomeManager(environment: environment)
            made = manager
            return manager
        }
    }

    /// Returns the first home of ``manager`` as soon as it is loaded.
    ///
    /// - Throws: ``WaitTimeoutError`` if that takes too long.
    public func home(file: StaticString = #fileID, line: UInt = #line) async throws -> HMHome {
        let manager = manager
        try await home.until("\(name) has a home", file: file, line: line) { !manager.homes.isEmpty }
        guard let home = manager.homes.first else { throw TestHomeError("\(name) no longer has a home.") }
        return home
    }

    /// Moves the app to the background. Its delegates aren't called from then on.
    public func enterBackground() {
        notifications.post(name: Notification.Name("UIApplicationDidEnterBackgroundNotification"), object: nil)
    }

    /// Moves the app to the foreground. Its delegates are called for everything that changed.
    public func enterForeground() {
        notifications.post(name: Notification.Name("UIApplicationWillEnterForegroundNotification"), object: nil)
    }
}
