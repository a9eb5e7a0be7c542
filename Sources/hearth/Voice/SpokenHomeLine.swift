import HAPCatalog
import HomeModel
import Voice

/// A home of a file, with what sentences may name.
struct SpokenHomeLine: Decodable {
    struct Room: Decodable {
        var id: String
        var name: String
    }

    struct Zone: Decodable {
        var id: String
        var name: String
        var rooms: [String]
    }

    struct Service: Decodable {
        var id: String
        var name: String
        var type: String
        var room: String?
        var characteristics: [String: Value]
    }

    struct Group: Decodable {
        var id: String
        var name: String
        var services: [String]
    }

    struct Scene: Decodable {
        var id: String
        var name: String
    }

    /// A characteristic's value: a number, or a Boolean, which counts as 1 or 0.
    struct Value: Decodable {
        var number: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let isOn = try? container.decode(Bool.self) {
                number = isOn ? 1 : 0
            } else {
                number = try container.decode(Double.self)
            }
        }
    }

    var id: String
    var name: String
    var temperatureUnit: String?
    var rooms: [Room]
    var zones: [Zone]?
    var services: [Service]
    var serviceGroups: [Group]?
    var scenes: [Scene]?

    /// The home, without services of types that no sentence reaches.
    var home: SpokenHome {
        SpokenHome(
            name: name,
            usesFahrenheit: temperatureUnit == "fahrenheit",
            rooms: rooms.map { SpokenHome.Room(id: $0.id, name: $0.name) },
            zones: (zones ?? []).map { SpokenHome.Zone(id: $0.id, name: $0.name, rooms: $0.rooms) },
            services: services.compactMap { service in
                guard let kind = ServiceDefinition.named(service.type).map({ ServiceKind($0.type) }), kind.isSpoken
                else {
                    return nil
                }
                return SpokenHome.Service(
                    id: service.id,
                    name: service.name,
                    kind: kind,
                    room: service.room,
                    values: service.characteristics.reduce(into: [:]) { values, characteristic in
                        SpokenTrait(rawValue: characteristic.key).map { values[$0] = characteristic.value.number }
                    }
                )
            },
            groups: (serviceGroups ?? []).map {
                SpokenHome.Group(id: $0.id, name: $0.name, services: $0.services)
            },
            scenes: (scenes ?? []).map { SpokenHome.Scene(id: $0.id, name: $0.name) }
        )
    }
}
