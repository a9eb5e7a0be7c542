import Foundation
import HAPCatalog
import HomeKit

/// A home as a tree of text: zones, rooms, accessories and their current values.
@MainActor
struct HomeTree {
    private struct Node {
        var text: String
        var children: [Node] = []
    }

    /// Services that describe the accessory rather than the home.
    private static let hiddenServices: Set<String> = [
        HMServiceTypeAccessoryInformation, "000000A2-0000-1000-8000-0026BB765291",
    ]

    private let root: Node

    /// Creates the tree of the home's current state.
    init(_ home: HMHome) {
        let accessories = home.accessories
        func room(_ room: HMRoom) -> Node {
            let inside = accessories.filter { $0.room == room && !Self.isPlainBridge($0) }
            return Node(text: room.name, children: inside.map(Self.accessory))
        }
        var children = home.zones.map { zone in
            Node(text: zone.name, children: zone.rooms.map(room))
        }
        let zoned = Set(home.zones.flatMap(\.rooms))
        children += home.rooms.filter { !zoned.contains($0) }.map(room)
        let defaultRoom = room(home.roomForEntireHome())
        if !defaultRoom.children.isEmpty { children.append(defaultRoom) }
        root = Node(text: home.name, children: children)
    }

    /// The tree's lines.
    var lines: [String] {
        [root.text] + Self.lines(of: root.children, indent: "")
    }

    private static func lines(of nodes: [Node], indent: String) -> [String] {
        nodes.indices.flatMap { index in
            let isLast = index == nodes.indices.last
            return [indent + (isLast ? "└─ " : "├─ ") + nodes[index].text]
                + lines(of: nodes[index].children, indent: indent + (isLast ? "   " : "│  "))
        }
    }

    private static func isPlainBridge(_ accessory: HMAccessory) -> Bool {
        accessory.uniqueIdentifiersForBridgedAccessories != nil
    }

    private static func accessory(_ accessory: HMAccessory) -> Node {
        guard accessory.isReachable else { return Node(text: "\(accessory.name)  (no response)") }
        let services = accessory.services.filter { !hiddenServices.contains($0.serviceType) }
        let values = services.map { service in
            let texts = service.characteristics.compactMap(value)
            return services.count > 1
                ? "\(service.name): \(texts.joined(separator: ", "))" : texts.joined(separator: ", ")
        }
        return Node(text: "\(accessory.name)  \(values.joined(separator: "; "))")
    }

    private static func value(_ characteristic: HMCharacteristic) -> String? {
        guard characteristic.characteristicType != HMCharacteristicTypeName,
            characteristic.properties.contains(HMCharacteristicPropertyReadable), let value = characteristic.value
        else { return nil }
        let name = characteristic.localizedDescription
        if characteristic.metadata?.format == HMCharacteristicMetadataFormatBool, let isOn = value as? Bool {
            return "\(name) \(isOn ? "on" : "off")"
        }
        if let number = value as? Int, let meaning = meaning(of: number, characteristic) {
            return "\(name) \(meaning)"
        }
        switch value {
        case is Data: return nil
        case let number as Double where number == number.rounded():
            return "\(name) \(Int(number))\(unit(of: characteristic))"
        default: return "\(name) \(value)\(unit(of: characteristic))"
        }
    }

    /// Returns the name of a number, such as “closed” for a door's state.
    private static func meaning(of number: Int, _ characteristic: HMCharacteristic) -> String? {
        let definition = HAPType(characteristic.characteristicType).flatMap(CharacteristicDefinition.of)
        return definition?.name(of: .integer(Int64(number)))?.lowercased()
    }

    private static func unit(of characteristic: HMCharacteristic) -> String {
        switch characteristic.metadata?.units {
        case HMCharacteristicMetadataUnitsPercentage: " %"
        case HMCharacteristicMetadataUnitsCelsius: " °C"
        case HMCharacteristicMetadataUnitsArcDegree: "°"
        case HMCharacteristicMetadataUnitsSeconds: " s"
        case HMCharacteristicMetadataUnitsLux: " lx"
        default: ""
        }
    }
}
