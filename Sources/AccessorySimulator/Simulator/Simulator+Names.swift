internal import HAPCatalog
public import HAPServer

extension Simulator {
    /// A press of a button.
    public enum Press: String, CaseIterable, Hashable, Sendable {
        /// A single press.
        case single = "Single Press"
        /// A quick double press.
        case double = "Double Press"
        /// A long press.
        case long = "Long Press"
    }

    /// Finds a characteristic by names.
    ///
    /// - Parameters:
    ///   - accessory: The name or the serial number of the accessory.
    ///   - characteristic: The name of the characteristic in the catalog, with or without spaces, or its UUID.
    ///   - service: The key of the service, or the name of its type. Required if several services have the
    ///     characteristic.
    /// - Throws: ``SimulatorError`` with the code `notFound` or `ambiguous`, with a list in the reason, or `notAllowed`
    ///   for a standard characteristic of Accessory Information.
    public nonisolated func find(
        _ accessory: String,
        _ characteristic: String,
        service: String? = nil
    ) throws(SimulatorError) -> CharacteristicAddress {
        let hosted = try hosted(accessory).accessory
        guard let type = CharacteristicDefinition.named(characteristic)?.type ?? HAPType(uuidText: characteristic)
        else {
            throw SimulatorError(
                .notFound,
                reason: "'\(characteristic)' is neither a characteristic of the catalog nor a UUID"
            )
        }
        var services = hosted.services.filter { $0.characteristics.contains { $0.type == type } }
        if let service { services = Self.named(service, among: services) }
        guard !services.isEmpty || !HostedAccessory.standardInformation.contains(type) else {
            let rule =
                type == HAPType.Characteristic.serialNumber
                ? "and can't be changed: it identifies the accessory" : "which is changed by editing the accessory"
            throw SimulatorError(
                .notAllowed,
                reason: "\(type) of '\(accessory)' is in its Accessory Information, \(rule)"
            )
        }
        let found = try Self.only(services, "characteristic \(type) of '\(accessory)'", hosted.services.map(\.key))
        return CharacteristicAddress(accessory: hosted.key, service: found.key, type: type)
    }

    /// Finds an accessory by its name or serial number, with its description.
    ///
    /// - Throws: ``SimulatorError`` with the code `notFound` or `ambiguous`; the reason lists the accessories.
    nonisolated func hosted(
        _ accessory: String
    ) throws(SimulatorError) -> (description: AccessoryDescription, accessory: HostedAccessory) {
        let all = descriptions.flatMap { description in description.accessories.map { (description, $0) } }
        let serial = all.filter { $0.1.key == accessory }
        let found = serial.isEmpty ? all.filter { $0.1.information.name == accessory } : serial
        return try Self.only(found, "accessory '\(accessory)'", all.map(\.1.information.name))
    }

    private static func named(_ name: String, among services: [HostedService]) -> [HostedService] {
        let keyed = services.filter { $0.key == name }
        let kind = ServiceDefinition.named(name)?.type
        return keyed.isEmpty ? services.filter { $0.type == kind } : keyed
    }

    /// Finds a service of an accessory by its key, or by the name of its type.
    ///
    /// - Returns: The accessory and the service's key, which can be that of a service that every accessory has.
    /// - Throws: ``SimulatorError`` with the code `notFound` or `ambiguous`; the reason lists the services.
    nonisolated func find(
        _ accessory: String,
        service: String
    ) throws(SimulatorError) -> (accessory: HostedAccessory, service: String) {
        let hosted = try hosted(accessory).accessory
        let fixed = [HAPType.Service.accessoryInformation, HAPType.Service.protocolInformation]
        if let type = ServiceDefinition.named(service)?.type, fixed.contains(type) {
            return (hosted, HostedService.defaultKey(for: type))
        }
        let found = Self.named(service, among: hosted.services)
        let what = "service '\(service)' of '\(accessory)'"
        return (hosted, try Self.only(found, what, hosted.services.map(\.key)).key)
    }

    /// Presses a button.
    ///
    /// - Parameters:
    ///   - accessory: The name or the serial number of the accessory.
    ///   - service: The key of the button's service. Required if the accessory has several buttons.
    /// - Throws: ``SimulatorError`` with the code `notFound`, `ambiguous`, or `invalidValue` if the button doesn't
    ///   support the press.
    public func press(
        _ accessory: String,
        service: String? = nil,
        _ press: Press = .single
    ) async throws(SimulatorError) {
        let type = HAPType.Characteristic.programmableSwitchEvent
        guard let definition = CharacteristicDefinition.of(type), let value = definition.value(named: press.rawValue)
        else {
            throw SimulatorError(.invalidValue, reason: "The catalog has no value '\(press.rawValue)'")
        }
        try await set(value, of: try find(accessory, definition.identifier, service: service))
    }

    private static func only<Element>(
        _ found: [Element],
        _ what: String,
        _ all: [String]
    ) throws(SimulatorError) -> Element {
        guard let first = found.first else {
            let list = all.isEmpty ? "none" : all.joined(separator: ", ")
            throw SimulatorError(.notFound, reason: "There is no \(what); choose one of: \(list)")
        }
        guard found.count == 1 else {
            throw SimulatorError(
                .ambiguous,
                reason: "There is more than one \(what); choose one of: \(all.joined(separator: ", "))"
            )
        }
        return first
    }
}
