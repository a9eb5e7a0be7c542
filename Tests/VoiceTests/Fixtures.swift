import HomeModel
import Synchronization
import Testing

@testable import Voice

/// A home in which most sentences of the tests are said.
enum Fixtures {
    static let english = SpokenHome(
        name: "Home",
        rooms: [
            SpokenHome.Room(id: "living", name: "Living Room"), SpokenHome.Room(id: "kitchen", name: "Kitchen"),
            SpokenHome.Room(id: "bedroom", name: "Bedroom"), SpokenHome.Room(id: "hall", name: "Hallway"),
            SpokenHome.Room(id: "garage", name: "Garage"),
        ],
        zones: [
            SpokenHome.Zone(id: "up", name: "Upstairs", rooms: ["bedroom"]),
            SpokenHome.Zone(id: "down", name: "Downstairs", rooms: ["living", "kitchen", "hall"]),
        ],
        services: [
            light("l1", "Floor Lamp", "living", isOn: true), light("l2", "Hue 2", "living"),
            light("k1", "Kitchen Light", "kitchen"), light("k2", "Counter", "kitchen", isOn: true),
            light("b1", "Bedside Lamp", "bedroom"), light("h1", "Hall Light", "hall"),
            service("f1", "Ceiling Fan", .fan, "bedroom", [.active: 0, .rotationSpeed: 40]),
            service("c1", "Coffee Machine", .outlet, "kitchen", [.on: 0]),
            service("w1", "Wemo", .outlet, "living", [.on: 0]),
            service("d1", "Front Door", .lock, "hall", [.lockTargetState: 1, .lockCurrentState: 1]),
            service("d2", "Back Door", .lock, "kitchen", [.lockTargetState: 0, .lockCurrentState: 0]),
            service("g1", "Garage Door", .garageDoor, "garage", [.targetDoorState: 1, .currentDoorState: 1]),
            service(
                "t1",
                "Thermostat",
                .thermostat,
                "living",
                [
                    .targetTemperature: 20, .currentTemperature: 21, .targetHeatingCoolingState: 1,
                    .currentHeatingCoolingState: 1,
                ]
            ),
            service("s1", "Blinds", .blinds, "living", [.targetPosition: 100, .currentPosition: 100]),
            service("v1", "Main Valve", .valve, "garage", [.active: 0, .inUse: 0]),
            service("o1", "Motion Sensor", .motionSensor, "hall", [.motion: 1]),
        ],
        groups: [SpokenHome.Group(id: "g", name: "Reading Lights", services: ["l1", "b1"])],
        scenes: [SpokenHome.Scene(id: "movie", name: "Movie Time"), SpokenHome.Scene(id: "night", name: "Good Night")]
    )

    static let german = SpokenHome(
        name: "Zuhause",
        rooms: [
            SpokenHome.Room(id: "living", name: "Wohnzimmer"), SpokenHome.Room(id: "kitchen", name: "Küche"),
            SpokenHome.Room(id: "bedroom", name: "Schlafzimmer"),
        ],
        zones: [SpokenHome.Zone(id: "up", name: "Obergeschoss", rooms: ["bedroom"])],
        services: [
            light("l1", "Stehlampe", "living"), light("k1", "Küchenlicht", "kitchen"),
            light("b1", "Nachttischlampe", "bedroom", isOn: true),
            service("f1", "Deckenventilator", .fan, "bedroom", [.active: 1, .rotationSpeed: 40]),
            service("s1", "Rollo links", .blinds, "living", [.targetPosition: 100, .currentPosition: 100]),
            service("d1", "Haustür", .lock, "living", [.lockTargetState: 1, .lockCurrentState: 1]),
            service("t1", "Thermostat", .thermostat, "living", [.targetTemperature: 20, .currentTemperature: 21]),
        ],
        scenes: [SpokenHome.Scene(id: "party", name: "Partymodus")]
    )

    static func light(_ id: String, _ name: String, _ room: String?, isOn: Bool = false) -> SpokenHome.Service {
        service(
            id,
            name,
            .light,
            room,
            [.on: isOn ? 1 : 0, .brightness: 50, .hue: 40, .saturation: 30, .colorTemperature: 300]
        )
    }

    static func service(
        _ id: String,
        _ name: String,
        _ kind: ServiceKind,
        _ room: String?,
        _ values: [SpokenTrait: Double]
    ) -> SpokenHome.Service {
        SpokenHome.Service(id: id, name: name, kind: kind, room: room, values: values)
    }

    static func listener(_ language: String = "en", home: SpokenHome? = nil) throws -> HomeListener {
        let home = home ?? (language == "de" ? german : english)
        let language = try #require(Language.named(language))
        return listeners.withLock { listeners in
            let known = listeners.first { $0.language.code == language.code && $0.home == home }
            if let known { return known }
            let listener = HomeListener(home: home, language: language)
            listeners.append(listener)
            return listener
        }
    }

    /// The listeners of the tests' homes: indexing names takes longer than a sentence.
    private static let listeners = Mutex<[HomeListener]>([])

    /// What a sentence writes, as "service trait value", sorted; nil if it writes nothing.
    static func writes(_ sentence: String, _ language: String = "en", room: String? = "living") throws -> [String]? {
        guard case .requests(let requests) = try listener(language).interpret(sentence, room: room) else { return nil }
        let writes = requests.flatMap { request in
            if case .write(let writes, _, _) = request { writes } else { [] as [SpokenWrite] }
        }
        return writes.map { "\($0.service) \($0.trait.rawValue) \($0.value.formatted)" }.sorted()
    }
}

extension Double {
    /// The value without a fraction that says nothing.
    fileprivate var formatted: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
