import Foundation
import HAPCatalog
import HomeModel
import HubAPI

/// The diagnosis of a home, and its JSON output.
struct HomeDiagnosis: Encodable, Sendable {
    /// The status of an accessory.
    struct Accessory: Encodable, Sendable {
        var id: UUID
        var name: String
        var room: String
        /// The accessory's bridge.
        var bridge: UUID?
        var isReachable: Bool
        /// The cause as a code, if the accessory isn't reachable.
        var trouble: AccessoryTrouble?
        /// The cause in a sentence.
        var cause: String?
        /// Problems that the accessory reports itself, such as a low battery.
        var remarks: [AccessoryTrouble] = []
    }

    /// The findings. Those that explain the most come first.
    var findings: [HomeDiagnosisFinding] = []
    var accessories: [Accessory]
    /// The result of the discovery check on this host.
    var discovery: DiscoveryReport

    /// Creates a diagnosis from the hub's state and a discovery check.
    init(of home: NamedHome, in view: HubState, discovery: DiscoveryReport) {
        self.discovery = discovery
        accessories = home.home.accessories.map { record in
            let update = view.reachability[record.id]
            let error = update.map(\.error) ?? HubError(.notReachable, .noPairing)
            return Accessory(
                id: record.id,
                name: record.name,
                room: home.home.roomName(record.room) ?? "",
                bridge: record.bridge,
                isReachable: error == nil,
                trouble: error.map { $0.trouble ?? AccessoryTrouble(rawValue: $0.code.rawValue) },
                cause: error?.reasonWithoutAdvice,
                remarks: error == nil ? Self.remarks(on: record, in: home.home, view) : []
            )
        }
        findings = HomeDiagnosisRules(accessories: accessories, discovery: discovery.findings).findings
    }

    /// Returns the problems in an accessory's last known values.
    private static func remarks(on record: AccessoryRecord, in home: Home, _ view: HubState) -> [AccessoryTrouble] {
        let states: [(HAPType, AccessoryTrouble)] = [
            (.Characteristic.statusLowBattery, .batteryLow), (.Characteristic.statusFault, .faultReported),
            (.Characteristic.statusTampered, .tampered),
        ]
        let characteristics = home.services(of: record).flatMap(\.characteristics)
        return states.compactMap { type, trouble in
            let isSet = characteristics.contains { characteristic in
                let reference = CharacteristicReference(accessory: record.id, iid: characteristic.iid)
                guard characteristic.type == type, let value = view.values[reference, in: home.id] else { return false }
                return Self.isSet(value)
            }
            return isSet ? trouble : nil
        }
    }

    /// Whether a status value reports a problem, in any format.
    static func isSet(_ value: CharacteristicValue) -> Bool {
        value == .bool(true) || value.number.map { $0 != 0 } ?? false
    }
}
