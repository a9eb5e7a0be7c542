import AccessorySimulator
import HAP
import HAPCatalog
import HAPServer

/// A physical accessory of a test home, as someone at the device sees and operates it.
public struct TestAccessory: Sendable {
    let host: AccessoryHost
    /// The serial number, which identifies the accessory to the simulator.
    let key: String
    /// The accessory's own name.
    public let name: String

    /// Returns an accessory behind this bridge, by its name or serial number.
    ///
    /// - Throws: ``TestHomeError`` if there is none.
    public func bridged(_ name: String) async throws -> TestAccessory {
        guard let accessory = await host.accessories.first(where: { $0.key == name || $0.information.name == name })
        else { throw TestHomeError("No accessory “\(name)” exists behind \(self.name).") }
        return TestAccessory(host: host, key: accessory.key, name: accessory.information.name)
    }

    /// The setup code printed on the accessory, such as `123-45-678`.
    public var setupCode: String { host.setupCode.dashed }

    /// The current value of a characteristic, or `nil` if it has none, such as a button's event.
    ///
    /// - Parameters:
    ///   - characteristic: The characteristic's key, such as `\.on`.
    ///   - service: The key of the service, or the name of its type. Required if several services have the
    ///     characteristic.
    /// - Throws: `SimulatorError` if the accessory has no such characteristic, ``TestHomeError``
    ///   if it is off.
    public subscript(_ characteristic: CharacteristicKey, service service: String? = nil) -> CharacteristicValue? {
        get async throws { try await value(of: HAPType(characteristic), service: service) }
    }

    /// The current value of a characteristic, by its type: a UUID, a HomeKit constant, or a name of the catalog.
    public subscript(_ characteristic: String, service service: String? = nil) -> CharacteristicValue? {
        get async throws { try await value(of: characteristic, service: service) }
    }

    /// Sets a value at the device. Apps are notified, and the accessory reacts to the change.
    ///
    /// - Throws: `SimulatorError` if the accessory has no such characteristic or the value is
    ///   invalid, ``TestHomeError`` if the accessory is off.
    public func set(
        _ characteristic: CharacteristicKey,
        to value: CharacteristicValue,
        service: String? = nil
    ) async throws {
        try await set(HAPType(characteristic).longForm, to: value, service: service)
    }

    /// Sets a value at the device, with the characteristic given by its type: a UUID, a HomeKit constant, or a name of
    /// the catalog.
    public func set(_ characteristic: String, to value: CharacteristicValue, service: String? = nil) async throws {
        let simulator = try await host.running()
        try await simulator.set(value, of: try simulator.find(key, characteristic, service: service))
    }

    /// Presses a button on the accessory.
    ///
    /// - Parameters:
    ///   - press: The kind of press.
    ///   - service: The key of the button's service. Required if the accessory has several buttons.
    public func press(_ press: Simulator.Press = .single, service: String? = nil) async throws {
        try await host.running().press(key, service: service, press)
    }

    /// The number of times that the accessory, or another one on the same server, was asked to identify itself.
    public var identifications: Int {
        get async { await host.identifications }
    }

    /// Injects a fault into the accessory now, for example `try await lamp.inject(Fault("refuse for 10s"))`.
    ///
    /// The duration of a fault is measured on the home's clock. `Documentation/Faults.md` lists the faults.
    ///
    /// - Throws: `SimulatorError` if the accessory doesn't support the fault, ``TestHomeError`` if
    ///   it is off.
    public func inject(_ fault: Fault) async throws {
        try await host.running().inject(fault, into: key)
    }

    /// Injects a fault into a characteristic now.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - characteristic: The characteristic's key, such as `\.on`.
    ///   - service: The key of the service, or the name of its type. Required if several services have the
    ///     characteristic.
    public func inject(
        _ fault: Fault,
        into characteristic: CharacteristicKey,
        service: String? = nil
    ) async throws {
        try await host.running()
            .inject(fault, into: key, characteristic: HAPType(characteristic).longForm, service: service)
    }

    /// Clears all faults of the accessory.
    public func clearFaults() async throws {
        try await host.running().clearFaults(of: key)
    }

    /// Turns the accessory off, with all bridged accessories if it is a bridge. It withdraws its advertisement and
    /// becomes unreachable.
    public func switchOff() async {
        await host.stop()
    }

    /// Turns the accessory on again, with the values and pairings it had. If it is in the home, returns once the hub
    /// reaches it and receives its events.
    ///
    /// - Throws: ``WaitTimeoutError`` if that takes too long.
    public func switchOn(
        within limit: Duration = TestHome.waitLimit,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try await host.start()
        try await ConditionPoller(limit: limit).wait {
            await host.isObserved
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

    /// Resets the accessory to factory settings: it loses its pairings and keeps its setup code.
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
