import Foundation
import HAPCatalog
import HomeModel
import HomeText
import HubAPI

/// A home in words, for assistants: short lines with the names that people use.
struct HomeDescription {
    /// The maximum number of lines about accessories.
    static let accessoryLimit = 200

    let home: NamedHome
    let view: HubState
    /// The known values of characteristics; `nil` to leave out the states.
    let values: KnownValues?

    /// Returns the lines of a home.
    ///
    /// - Parameter room: The only room to describe; `nil` for all.
    func text(ofRoom room: UUID? = nil) -> String {
        var lines = ["Home “\(home.name)”"]
        var (count, left) = (0, 0)
        let rooms = home.home.rooms.map { (id: $0.id, name: $0.name) }
        let all = rooms + [(home.home.defaultRoom, Home.defaultRoomName)]
        for (id, name) in all where room == nil || room == id {
            let accessories = home.home.accessories.filter { $0.room == id }.flatMap(accessory)
            guard !accessories.isEmpty || id != home.home.defaultRoom else { continue }
            let zones = home.home.zones.filter { $0.rooms.contains(id) }.map(\.name)
            lines.append("Room “\(name)”" + (zones.isEmpty ? "" : " in \(zones.joined(separator: ", "))"))
            let shown = accessories.prefix(max(0, Self.accessoryLimit - count))
            lines += shown.map { "  \($0)" }
            count += shown.count
            left += accessories.count - shown.count
        }
        if left > 0 { lines.append("… and \(left) more. Name a room to list its accessories.") }
        if room == nil {
            lines += list("Scenes", home.home.actionSets.map(\.name).filter { !$0.isEmpty })
            lines += list("Groups", home.home.serviceGroups.map(\.name))
            lines += list("Automations", home.home.triggers.map(\.name))
        }
        return lines.joined(separator: "\n")
    }

    private func list(_ title: String, _ names: [String]) -> [String] {
        names.isEmpty ? [] : ["\(title): \(names.joined(separator: ", "))"]
    }

    /// Returns a line for each service of an accessory that people use.
    private func accessory(_ record: AccessoryRecord) -> [String] {
        let services = home.home.services(of: record).filter { $0.isUserFacing && !record.isHidden($0) }
        guard !services.isEmpty else { return [] }
        if record.isBlocked { return ["\(record.name): blocked"] }
        if let status = view.reachability[record.id], !status.isReachable { return ["\(record.name): doesn't respond"] }
        return services.map { service in
            let name = Home.name(of: service, in: record)
            let title = name == record.name ? name : "\(name) (\(record.name))"
            let kind = ServiceDefinition.of(service.type)?.identifier ?? service.type.shortForm
            let states = states(of: service, in: record)
            return "\(title), \(kind)" + (states.isEmpty ? "" : ": \(states.joined(separator: ", "))")
        }
    }

    private func states(of service: ServiceShape, in record: AccessoryRecord) -> [String] {
        guard let values else { return [] }
        return service.characteristics.compactMap { shape in
            guard shape.isShown else { return nil }
            let reference = CharacteristicReference(accessory: record.id, iid: shape.iid)
            guard let value = values[reference, in: home.home.id] else { return nil }
            return "\(shape.displayName) \(ValueText(shape).text(of: value))"
        }
    }
}

extension CharacteristicShape {
    /// Whether the characteristic's value is shown to people.
    var isShown: Bool {
        permissions.contains(.read) && !permissions.contains(.hidden) && type != HAPType.Characteristic.name
    }
}

extension AccessoryRecord {
    fileprivate func isHidden(_ service: ServiceShape) -> Bool { hiddenServices.contains(service.iid) }
}
