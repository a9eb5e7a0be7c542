import Foundation
import HomeHub
import Synchronization

/// A device of a user of a test home, such as a laptop, with apps of its own.
///
/// ``TestHome/device(of:named:)`` creates it. Its apps reach the hub as apps on another machine do, with the rights of
/// the device's user, until ``TestHome/cutOff(_:)`` takes the hub away.
public final class TestDevice: Sendable {
    // This is a class because its apps and the home share its connector.

    /// The device's name.
    public let name: String
    /// The user whose device it is.
    public let person: TestPerson
    /// The connector of the device's apps to the hub.
    let connector: HubConnector
    let id: UUID
    private let cut = Mutex(false)

    init(_ name: String, of person: TestPerson, as id: UUID) {
        self.name = name
        self.person = person
        self.id = id
        connector = HubConnector(from: .device(id))
    }

    /// Whether the device is cut off from the hub.
    public internal(set) var isCutOff: Bool {
        get { cut.withLock { $0 } }
        set { cut.withLock { $0 = newValue } }
    }

    /// Returns an app on this device, always the same one for the same name. It doesn't connect until it creates a
    /// manager.
    public func app(_ name: String = TestApp.defaultName) -> TestApp {
        person.home.app(name, of: person, on: self)
    }
}
