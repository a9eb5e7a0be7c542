import Foundation

/// A person who has a part in a test home, with any number of apps.
public struct TestPerson: Sendable {
    /// The name that others see.
    public let name: String
    let id: UUID?
    let home: TestHome

    /// An app of this person; the same one each time for the same name. It knows nothing before it makes a manager.
    public func app(_ name: String = TestApp.usualName) -> TestApp {
        home.app(name, of: self)
    }
}
