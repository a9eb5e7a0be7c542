import Foundation

/// A user of a test home, with any number of apps.
public struct TestPerson: Sendable {
    /// The name that other users see.
    public let name: String
    let id: UUID?
    let home: TestHome

    /// Returns an app of this user, always the same one for the same name. It doesn't connect until it creates a
    /// manager.
    public func app(_ name: String = TestApp.defaultName) -> TestApp {
        home.app(name, of: self)
    }
}
