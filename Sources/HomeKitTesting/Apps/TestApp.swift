import Foundation
import HomeHub
import HomeKit
import Synchronization

/// An app of a test home: what is made in it finds the home's hub, and nothing else.
///
/// The callbacks of its managers and browsers come on the main queue, as an app's do.
public final class TestApp: Sendable {
    // A class, because it is the identity by which its managers are one app to the hub.

    /// The name of an app of which the test gives none.
    public static let usualName = "app"

    /// The app's name, which is its identifier to the hub.
    public let name: String
    private let home: TestHome
    private let environment: HomeKitEnvironment
    private let notifications: NotificationCenter
    private let made = Mutex<HMHomeManager?>(nil)

    init(_ name: String, of person: TestPerson, in home: TestHome) {
        self.name = name
        self.home = home
        notifications = NotificationCenter()
        environment = HomeKitEnvironment(
            app: name,
            purpose: "To test \(name).",
            retry: home.door.retry,
            notifications: notifications,
            log: { _ in },
            transport: { [door = home.door] in door.transport(for: name, of: person.id) }
        )
    }

    /// The app that all managers are of which the process has outside of tests' tasks.
    init(onStageIn home: TestHome) {
        name = Self.usualName
        self.home = home
        notifications = .default
        environment = ProcessTestEnvironment.shared.environment
    }

    /// Runs code of the app: an `HMHomeManager()` that is made in it, in its tasks too, finds this home.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try HomeKitEnvironment.$current.withValue(environment, operation: body)
    }

    /// Runs code of the app; see the form that does not wait.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await HomeKitEnvironment.$current.withValue(environment, operation: body)
    }

    /// A manager of the app, made at the first use and kept.
    public var manager: HMHomeManager {
        made.withLock { made in
            if let made { return made }
            let manager = HMHomeManager(environment: environment)
            made = manager
            return manager
        }
    }

    /// The first home of ``manager``, as soon as it is there.
    ///
    /// - Throws: ``WaitTimeoutError`` if that takes too long.
    public func home(file: StaticString = #fileID, line: UInt = #line) async throws -> HMHome {
        let manager = manager
        try await home.until("\(name) has a home", file: file, line: line) { !manager.homes.isEmpty }
        guard let home = manager.homes.first else { throw TestHomeError("\(name) has no home any more.") }
        return home
    }

    /// Tells the app that it is in front of nobody; its delegates hear nothing from then on.
    public func enterBackground() {
        notifications.post(name: Notification.Name("UIApplicationDidEnterBackgroundNotification"), object: nil)
    }

    /// Tells the app that it is back; its delegates hear of all at once.
    public func enterForeground() {
        notifications.post(name: Notification.Name("UIApplicationWillEnterForegroundNotification"), object: nil)
    }
}
