import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Voice

/// A home as sentences see it, and the characteristics that they mean.
struct HeardHome: Sendable {
    /// The identity of everything but the values.
    let layout = UUID()
    /// What the sentences are about.
    private(set) var spoken: SpokenHome
    /// The characteristics of each of the services of `spoken`.
    private var sources: [[(trait: SpokenTrait, reference: CharacteristicReference)]] = []
    /// The characteristics that say in which unit people want to read temperatures.
    private var units: [CharacteristicReference] = []
    private var characteristics:
        [String: [SpokenTrait: (reference: CharacteristicReference, shape: CharacteristicShape)]] = [:]

    /// Creates the view of a home without values.
    ///
    /// - Parameters:
    ///   - home: The home in its current state.
    ///   - name: The speaker's name for it.
    init(_ home: Home, named name: String) {
        spoken = SpokenHome(
            name: name,
            rooms: home.rooms.map { SpokenHome.Room(id: $0.id.uuidString, name: $0.name) },
            zones: home.zones.map { zone in
                SpokenHome.Zone(id: zone.id.uuidString, name: zone.name, rooms: zone.rooms.map(\.uuidString))
            },
            services: [],
            groups: home.serviceGroups.map { group in
                let services = group.services.map(\.service.uuidString)
                return SpokenHome.Group(id: group.id.uuidString, name: group.name, services: services)
            },
            scenes: home.actionSets.filter { !$0.actions.isEmpty }.map {
                SpokenHome.Scene(id: $0.id.uuidString, name: $0.name)
            }
        )
        for accessory in home.accessories {
            for service in home.services(of: accessory) where !service.isHidden {
                let kind = ServiceKind(service.type)
                guard kind.isSpoken else { continue }
                add(service, kind, of: accessory, in: home)
            }
        }
    }

    /// Updates the values.
    ///
    /// - Parameter value: A closure that returns a characteristic's known value.
    mutating func update(_ value: (CharacteristicReference) -> CharacteristicValue?) {
        for (index, characteristics) in sources.enumerated() {
            for (trait, reference) in characteristics {
                let number = value(reference)?.spokenNumber
                // Most values are the same as before, and a write would copy what other sentences read.
                guard spoken.services[index].values[trait] != number else { continue }
                spoken.services[index].values[trait] = number
            }
        }
        let usesFahrenheit = units.contains { value($0)?.spokenNumber == 1 }
        if spoken.usesFahrenheit != usesFahrenheit { spoken.usesFahrenheit = usesFahrenheit }
    }

    private mutating func add(
        _ service: ServiceShape,
        _ kind: ServiceKind,
        of accessory: AccessoryRecord,
        in home: Home
    ) {
        let id = Home.serviceID(of: service.iid, in: accessory).uuidString
        let name = Home.name(of: service, in: accessory)
        var spoken = SpokenHome.Service(
            id: id,
            name: name,
            accessoryName: name == accessory.name ? nil : accessory.name,
            kind: kind,
            associatedKind: accessory.associatedTypes[service.iid].map { ServiceKind($0) },
            room: accessory.room == home.defaultRoom ? nil : accessory.room.uuidString,
            traits: [],
            values: [:]
        )
        var sources: [(trait: SpokenTrait, reference: CharacteristicReference)] = []
        for shape in service.characteristics {
            if shape.type == HAPType.Characteristic.temperatureDisplayUnits {
                units.append(CharacteristicReference(accessory: accessory.id, iid: shape.iid))
            }
            guard let trait = SpokenTrait(shape.type), characteristics[id]?[trait] == nil else { continue }
            let reference = CharacteristicReference(accessory: accessory.id, iid: shape.iid)
            characteristics[id, default: [:]][trait] = (reference, shape)
            spoken.traits.insert(trait)
            sources.append((trait, reference))
            if let minimum = shape.metadata.minValue?.number, let maximum = shape.metadata.maxValue?.number,
                minimum <= maximum
            {
                spoken.limits[trait] = minimum...maximum
            }
        }
        self.spoken.services.append(spoken)
        self.sources.append(sources)
    }

    /// Returns a characteristic that a sentence means.
    func characteristic(_ trait: SpokenTrait, of service: String) -> CharacteristicReference? {
        characteristics[service]?[trait]?.reference
    }

    /// Returns a number as a value of a characteristic's own format.
    func value(_ number: Double, of trait: SpokenTrait, _ service: String) -> CharacteristicValue? {
        guard let metadata = characteristics[service]?[trait]?.shape.metadata else { return nil }
        switch metadata.format {
        case .bool: return .bool(number != 0)
        case .float: return .double(number)
        default: return Int64(exactly: number.rounded()).map { .integer($0) }
        }
    }
}

extension SpokenTrait {
    private static let ofType = Dictionary(
        allCases.compactMap { trait in CharacteristicDefinition.named(trait.rawValue).map { ($0.type, trait) } }
    ) { first, _ in first }

    /// Returns the trait of a characteristic type; `nil` if people don't speak of it.
    init?(_ type: HAPType) {
        guard let trait = Self.ofType[type] else { return nil }
        self = trait
    }
}

extension CharacteristicValue {
    /// The value as a number, with 1 for true; `nil` for text and bytes.
    var spokenNumber: Double? {
        if case .bool(let value) = self { value ? 1 : 0 } else { number }
    }
}
