import HomeModel
import Testing

@testable import Voice

/// A home for French and Spanish, whose names are given.
enum RomanceFixtures {
    static func home(_ names: [String: String]) -> SpokenHome {
        func name(_ id: String) -> String { names[id] ?? id }
        func light(_ id: String, _ room: String, isOn: Bool = false) -> SpokenHome.Service {
            Fixtures.light(id, name(id), room, isOn: isOn)
        }
        func service(
            _ id: String,
            _ kind: ServiceKind,
            _ room: String,
            _ values: [SpokenTrait: Double]
        ) -> SpokenHome.Service {
            Fixtures.service(id, name(id), kind, room, values)
        }
        return SpokenHome(
            name: "Home",
            rooms: ["living", "kitchen", "bedroom", "hall", "garage", "garden"].map { id in
                SpokenHome.Room(id: id, name: name(id))
            },
            zones: [
                SpokenHome.Zone(id: "up", name: name("up"), rooms: ["bedroom"]),
                SpokenHome.Zone(id: "down", name: name("down"), rooms: ["living", "kitchen", "hall"]),
            ],
            services: [
                light("l1", "living", isOn: true), light("l2", "living"), light("k1", "kitchen"),
                light("b1", "bedroom", isOn: true), light("h1", "hall"),
                service("f1", .fan, "bedroom", [.active: 0, .rotationSpeed: 40]),
                service("c1", .outlet, "kitchen", [.on: 0]),
                service("d1", .lock, "hall", [.lockTargetState: 1, .lockCurrentState: 1]),
                service("d2", .lock, "kitchen", [.lockTargetState: 0, .lockCurrentState: 0]),
                service("g1", .garageDoor, "garage", [.targetDoorState: 1, .currentDoorState: 1]),
                service(
                    "t1",
                    .thermostat,
                    "living",
                    [
                        .targetTemperature: 20, .currentTemperature: 21, .targetHeatingCoolingState: 1,
                        .currentHeatingCoolingState: 1,
                    ]
                ),
                service("s1", .blinds, "living", [.targetPosition: 100, .currentPosition: 100]),
                service("s2", .blinds, "bedroom", [.targetPosition: 0, .currentPosition: 0]),
                service("w1", .contactSensor, "bedroom", [.contactState: 1]),
                service("v1", .valve, "garden", [.active: 0, .inUse: 0]),
                service("o1", .motionSensor, "hall", [.motion: 1]),
            ],
            scenes: ["night", "movie"].map { SpokenHome.Scene(id: $0, name: name($0)) }
        )
    }

    static func interpret(_ sentence: String, _ language: String, _ home: SpokenHome) throws -> Interpretation {
        try Fixtures.listener(language, home: home).interpret(sentence, room: "living")
    }

    /// What a sentence writes, as "service trait value", sorted; nil if it writes nothing.
    static func writes(_ sentence: String, _ language: String, _ home: SpokenHome) throws -> [String]? {
        guard case .requests(let requests) = try interpret(sentence, language, home) else { return nil }
        let writes = requests.flatMap { request in
            if case .write(let writes, _, _) = request { writes } else { [] as [SpokenWrite] }
        }
        let isOther = requests.contains { if case .write = $0 { false } else { true } }
        return writes.isEmpty && isOther ? nil : writes.map(text).sorted()
    }

    static func text(_ write: SpokenWrite) -> String {
        let value = write.value == write.value.rounded() ? "\(Int(write.value))" : "\(write.value)"
        return "\(write.service) \(write.trait.rawValue) \(value)"
    }
}
