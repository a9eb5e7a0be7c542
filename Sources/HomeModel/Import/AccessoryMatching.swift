import Foundation

/// Matches an export's accessories with a home's: by ID, then serial number, then HAP device ID, then name and room. A
/// criterion only counts if it fits exactly one accessory on each side.
struct AccessoryMatching {
    /// The ID in the home of each matched accessory, by its ID in the export.
    private(set) var here: [UUID: UUID] = [:]
    /// The accessories that are matched by name and room alone.
    private(set) var placed: Set<UUID> = []
    /// The possible matches of each accessory that fits several.
    private(set) var candidates: [UUID: [UUID]] = [:]

    /// A property that identifies an accessory.
    private enum Criterion: Hashable {
        case serial(manufacturer: String?, model: String?, number: String, isBridge: Bool)
        case server(String, aid: UInt64, manufacturer: String?, model: String?)
        case place(name: FoldedName, room: FoldedName, isBridge: Bool)
    }

    private static let criteria: [@Sendable (AccessoryRecord, Home) -> Criterion?] = [
        { accessory, _ in
            let information = accessory.information
            guard let number = information.serialNumber, !number.isEmpty else { return nil }
            return .serial(
                manufacturer: information.manufacturer,
                model: information.model,
                number: number,
                isBridge: accessory.isBridge
            )
        },
        { accessory, _ in
            let (manufacturer, model) = (accessory.information.manufacturer, accessory.information.model)
            return .server(accessory.server, aid: accessory.aid, manufacturer: manufacturer, model: model)
        },
        { accessory, home in
            let room = FoldedName(home.roomName(accessory.room) ?? "")
            return .place(name: FoldedName(accessory.name), room: room, isBridge: accessory.isBridge)
        },
    ]

    init(of exported: Home, in home: Home) {
        for accessory in exported.accessories where home.accessories.contains(id: accessory.id) {
            here[accessory.id] = accessory.id
        }
        // A match by one criterion can make another criterion unambiguous.
        var count = -1
        while count != here.count {
            count = here.count
            for criterion in Self.criteria { decide(by: criterion, exported, home) }
        }
        let taken = Set(here.values)
        candidates = candidates.filter { here[$0.key] == nil }.mapValues { $0.filter { !taken.contains($0) } }
            .filter { !$0.value.isEmpty }
    }

    private mutating func decide(by criterion: (AccessoryRecord, Home) -> Criterion?, _ exported: Home, _ home: Home) {
        let taken = Set(here.values)
        var present: [Criterion: [UUID]] = [:]
        for accessory in home.accessories where !taken.contains(accessory.id) {
            if let key = criterion(accessory, home) { present[key, default: []].append(accessory.id) }
        }
        var wanted: [Criterion: [UUID]] = [:]
        for accessory in exported.accessories where here[accessory.id] == nil {
            guard let key = criterion(accessory, exported), present[key] != nil else { continue }
            wanted[key, default: []].append(accessory.id)
        }
        for (key, accessories) in wanted {
            guard let matches = present[key] else { continue }
            if accessories.count == 1, matches.count == 1 {
                here[accessories[0]] = matches[0]
                if case .place = key { placed.insert(accessories[0]) }
            } else {
                for accessory in accessories where candidates[accessory] == nil { candidates[accessory] = matches }
            }
        }
    }
}
