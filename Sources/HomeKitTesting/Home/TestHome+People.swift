import Dispatch
import Foundation
import HomeHub
import HomeModel
import HubAPI

extension TestHome {
    /// The owner of the home.
    public var owner: TestPerson { TestPerson(name: "Owner", id: nil, home: self) }

    /// Returns an app of the owner, always the same one for the same name.
    public func app(_ name: String = TestApp.defaultName) -> TestApp {
        owner.app(name)
    }

    /// Adds a user to the home.
    ///
    /// ```swift
    /// let ann = try await home.person("Ann", role: .guest)
    /// let own = try await ann.app("Lights").home()
    /// ```
    ///
    /// - Parameters:
    ///   - name: The user's name.
    ///   - role: The user's rights in the home.
    /// - Throws: An error with the hub's reason if the name is taken or invalid, or ``TestHomeError`` if the hub isn't
    ///   running.
    @discardableResult
    public func person(_ name: String, role: TestPerson.Role = .guest) async throws -> TestPerson {
        let role: Role = role == .administrator ? .administrator : .guest
        let person = try await client.call(HubMethods.addUser, AddHomeUser(home: id, name: name, role: role))
        guard let account = await connector.hub?.account(of: person.id, in: id, to: TestHubClient.app) else {
            throw TestHomeError("The hub hasn't been started.")
        }
        return TestPerson(name: name, id: account, home: self)
    }

    /// Adds a guest to the home, who may use it but not change its layout.
    public func guest(_ name: String = "Guest") async throws -> TestPerson {
        try await person(name, role: .guest)
    }

    /// Adds an administrator to the home, who may also change its layout.
    public func administrator(_ name: String = "Administrator") async throws -> TestPerson {
        try await person(name, role: .administrator)
    }

    // MARK: Devices

    /// Adds a device of a user. Each call returns another device, whose apps are apart from those of all others.
    ///
    /// ```swift
    /// let laptop = try await home.device(of: ann, named: "Laptop")
    /// let own = try await laptop.app("Lights").home()
    /// ```
    ///
    /// The device is in this process and has no keys: it is connected as if it had joined. Its apps have the rights of
    /// the user, as from another machine of the home's network.
    ///
    /// - Parameters:
    ///   - person: The user whose device it is.
    ///   - name: The device's name, for errors.
    /// - Throws: ``TestHomeError`` if the hub isn't running, or if the user is one of another home.
    public func device(of person: TestPerson, named name: String = "Device") async throws -> TestDevice {
        guard person.home === self else {
            throw TestHomeError("“\(person.name)” is a user of another test home. Add the user to this one.")
        }
        let device = TestDevice(name, of: person, as: UUID())
        device.connector.open(to: try hub())
        add(device)
        return device
    }

    /// Cuts a device off from the hub, as if it had left the home's network. Returns once its apps have noticed.
    ///
    /// Apps keep what they last knew: homes, rooms, users and values can be read. Accessories are unreachable, the
    /// state of the home's hub is `HMHomeHubState.disconnected`, and everything that needs the hub fails immediately with
    /// `HMError.Code.communicationFailure`. An app that starts while its device is cut off has no homes until
    /// ``reconnect(_:)``. Other devices and the hub itself go on. Has no effect on a device that is cut off.
    ///
    /// - Throws: ``WaitTimeoutError`` if the apps don't notice within ``waitLimit``.
    public func cutOff(_ device: TestDevice) async throws {
        device.isCutOff = true
        device.connector.close()
        try await device.connector.disconnectAll()
        await Self.callbacks()
    }

    /// Connects a device to the hub again. Returns once its apps have received what they missed.
    ///
    /// Each app continues with the same objects. Its delegates are called for what changed in the meantime, and
    /// notifications that it enabled stay enabled. Has no effect on a device that is connected.
    ///
    /// - Throws: ``TestHomeError`` if the hub isn't running; ``WaitTimeoutError`` if the apps aren't connected again
    ///   within ``waitLimit``.
    public func reconnect(_ device: TestDevice) async throws {
        guard device.isCutOff else { return }
        let hub = try hub()
        device.isCutOff = false
        device.connector.open(to: hub)
        try await device.connector.waitUntilSettled()
        await Self.callbacks()
    }

    /// Waits until apps' callbacks that are due have run. They run on the main queue.
    private static func callbacks() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
    }
}
