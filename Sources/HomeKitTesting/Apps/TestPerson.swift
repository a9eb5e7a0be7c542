import Foundation

/// A user of a test home, with any number of apps and devices.
public struct TestPerson: Sendable {
    /// The rights of a user in a home.
    public enum Role: String, CaseIterable, Sendable {
        /// The user can use the home's accessories and run its scenes.
        case guest
        /// The user can also change the home and its users.
        case administrator
    }

    /// The name that other users see.
    public let name: String
    /// The user's account at the hub; `nil` for the hub's own user.
    let id: UUID?
    let home: TestHome

    /// Returns an app of this user on the hub's own machine, always the same one for the same name. It doesn't connect
    /// until it creates a manager.
    public func app(_ name: String = TestApp.defaultName) -> TestApp {
        home.app(name, of: self)
    }
}
