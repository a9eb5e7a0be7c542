import AccessorySimulator
import HAP
import HAPCatalog
import HAPServer

/// An accessory of a test home as a person who stands before it sees it: what it does, and what can be done by hand.
public struct TestAccessory: Sendable {
    let host: AccessoryHost
    /// The serial number, by which the simulator knows it.
    let key: String
    /// The name by which it introduces itself.
    public let name: String

    /// An accessory behind this bridge, by its name or serial number.
    ///
    /// - Throws: ``TestHomeError`` if there is none.
    public func bridged(_ name: String) async throws -> TestAccessory {
        guard let accessory = await host.accessories.first(where: { $0.key == name || $0.information.name == name })
        else { throw TestHomeError("There is no “\(name)” behind \(self.name).") }
        return TestAccessory(host: host, key: accessory.key, name: accessory.information.name)
    }

    /// The code that is printed on it: `123-45-678`.
    public var setupCode: String { host.setupCode.dashed }

    /// The present value of a characteristic; `nil` if it has none, such as a button's event.
    ///
    /// - Parameter service: The key of the service, or the name of its type; needed if several services have the
    ///   characteristic.
    /// - Throws: If it has no such characteristic, or is switched off.
    public subscript(_ characteristic: CharacteristicKey, service service: String? = nil) -> CharacteristicValue? {
        get async throws { try await value(of: HAPType(characteristic), service: service) }
    }

    /// The present value of a characteristic by its type: a UUID, one of HomeKit's constants, or a name of the catalogue.
    public subscript(_ characteristic: String, service service: String? = nil) -> CharacteristicValue? {
        get async throws { try await value(of: characteristic, service: service) }
    }

    /// Sets a value by hand. Apps hear of it, and the accessory does what follows from it.
    ///
    /// - Throws: If it has no such characteristic, the characteristic cannot have that value, or it is switched off.
    public func set(
        _ characteristic: CharacteristicKey,
        to value: CharacteristicValue,
        service: String? = nil
    ) async throws {
        try await set(HAPType(characteristic).longForm, to: value, service: service)
    }

    /// Sets a value by hand; the characteristic by its type: a UUID, one of HomeKit's constants, or a name of the
    /// catalogue.
    public func set(_ characteristic: String, to value: CharacteristicValue, service: String? = nil) async throws {
        let simulator = try await host.running()
        try await simulator.set(value, of: try simulator.find(key, characteristic, service: service))
    }

    /// Presses a button of it.
    ///
    /// - Parameter service: The key of the button's service; needed if it has several buttons.
    public func press(_ press: Simulator.Press = .single, service: String? = nil) async throws {
        try await host.running().press(key, service: service, press)
    }

    /// How often it was asked to draw attention to itself, with all that is on the same server.
    public var identifications: Int {
        get async { await host.identifications }
    }

    /// Lets something go wrong with it, now: `try await lamp.inject(Fault("refuse for 10s"))`. The time that the fault
    /// lasts passes on the home's clock. `Documentation/Faults.md` lists the faults.
    ///
    /// - Throws: If it cannot have the fault, or is switched off.
    public func inject(_ fault: Fault) async throws {
        try await host.running().inject(fault, into: key)
    }

    /// Lets something go wrong with one characteristic, now.
    ///
    /// - Parameter service: The key of the service, or the name of its type; needed if several services have the
    ///   characteristic.
    public func inject(
        _ fault: Fault,
        into characteristic: CharacteristicKey,
        service: String? = nil
    ) async throws {
        try await host.running()
            .inject(fault, into: key, characteristic: HAPType(characteristic).longForm, service: service)
    }

    /// Puts right all that goes wrong with it.
    public func clearFaults() async throws {
        try await host.running().clearFaults(of: key)
    }

    /// Switches it off, a bridge with all behind it: it takes leave, and nobody reaches it.
    public func switchOff() async {
        await host.stop()
    }

    /// Switches it on again, with the values and the pairings that it had. If it is in the home, returns once the hub
    /// has reached it and hears of its events.
    ///
    /// - Throws: ``WaitTimeoutError`` if that takes too long.
    public func switchOn(
        within limit: Duration = TestHome.waitLimit,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try await host.start()
        try await ConditionPoller(limit: limit).wait {
            await host.isHeard
        } otherwise: {
            WaitTimeoutError(
                "the hub reaches \(name)",
                limit,
                file,
                line,
                state: await host.values().joined(separator: "\n")
            )
        }
    }

    /// Makes it as it came from the factory: it is paired with nobody, and keeps its set-up code.
    public func reset() async throws {
        await host.stop()
        try await host.start(isFactoryReset: true)
    }

    private func value(of type: HAPType, service: String?) async throws -> CharacteristicValue? {
        try await value(of: type.longForm, service: service)
    }

    private func value(of characteristic: String, service: String?) async throws -> CharacteristicValue? {
        let simulator = try await host.running()
        return try await simulator.value(of: try simulator.find(key, characteristic, service: service))
    }
}
