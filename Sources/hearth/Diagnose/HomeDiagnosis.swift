import Foundation
import HAPCatalog
import HomeModel
import HubAPI

/// What an examination of a house found, as `--json` prints it.
struct HomeDiagnosis: Encodable, Sendable {
    /// An accessory in brief.
    struct Accessory: Encodable, Sendable {
        var id: UUID
        var name: String
        var room: String
        /// The bridge that it is behind.
        var bridge: UUID?
        var isReachable: Bool
        /// Why not, in one word.
        var trouble: AccessoryTrouble?
        /// The same for people.
        var cause: String?
        /// What it says of itself that people should know.
        var remarks: [AccessoryTrouble] = []
    }

    /// What the matter is, what explains most first.
    var findings: [HomeDiagnosisFinding] = []
    var accessories: [Accessory]
    /// What is around the hub.
    var discovery: DiscoveryReport

    /// Puts together what the hub tells of a home and what was seen around it.
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
                cause: error?.statement,
                remarks: error == nil ? Self.remarks(on: record, in: home.home, view) : []
            )
        }
        findings = HomeDiagnosisRules(accessories: accessories, discovery: discovery.findings).findings
    }

    /// What the last known values say of an accessory.
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

    /// Whether a status says that there is something, whatever its format.
    static func isSet(_ value: CharacteristicValue) -> Bool {
        value == .bool(true) || value.number.map { $0 != 0 } ?? false
    }
}
