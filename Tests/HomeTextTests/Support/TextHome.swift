import Foundation
import HAPCatalog
import HomeModel
import HomeText
import Testing

/// A home with accessories whose names and services are hard to tell apart.
struct TextHome {
    static let utc = TimeZone.gmt
    /// 2026-11-22 20:15:30 UTC, a Sunday.
    static let now = Date(timeIntervalSince1970: 1_795_378_530)

    static let shared = TextHome()

    var home: Home
    /// The names, which a change of ``home`` doesn't change.
    private(set) var vocabulary: HomeVocabulary
    let ann = UUID()
    let ben = UUID()
    let cem = UUID()
    let maryAnn = UUID()

    /// The home for a user.
    func viewed(by user: UUID) -> TextHome {
        var copy = self
        copy.home.viewer = user
        copy.vocabulary = HomeVocabulary(copy.home)
        return copy
    }

    private init() {
        let id = UUID()
        let owner = UserRecord(id: ann, name: "Ann", role: .owner)
        home = Home(id: id)
        vocabulary = HomeVocabulary(home)
        home.apply(Home.creation(id: id, defaultRoom: UUID(), owner: owner))
        let users = [(ben, "Ben"), (cem, "Cem"), (maryAnn, "Mary Ann")].map { id, name in
            UserRecord(id: id, name: name, role: .guest)
        }
        home.apply(Change(verb: .userAdded, subjects: [], effects: users.map { .put(.user($0)) }))
        add("Front Door", [(HAPType.Service.lockMechanism, nil, [.lockCurrentState, .lockTargetState])])
        add("Hall Motion", [(HAPType.Service.motionSensor, nil, [.motionDetected])])
        add("Attic Motion", [(HAPType.Service.motionSensor, nil, [.motionDetected, .statusLowBattery])])
        add("Kitchen", [(HAPType.Service.temperatureSensor, nil, [.currentTemperature])])
        add("Kitchen Temperature", [(HAPType.Service.temperatureSensor, nil, [.currentTemperature])])
        add(
            "Bath",
            [
                (HAPType.Service.temperatureSensor, nil, [.currentTemperature]),
                (HAPType.Service.humiditySensor, nil, [.currentRelativeHumidity]),
            ]
        )
        add("Desk Lamp", [(HAPType.Service.lightbulb, nil, [.on, .brightness])])
        add("Motion", [(HAPType.Service.motionSensor, nil, [.motionDetected])])
        add("Motion Sensor", [(HAPType.Service.motionSensor, nil, [.motionDetected])])
        add("Heater", [(HAPType.Service.switch, nil, [.on])])
        add("Kids' Lamp", [(HAPType.Service.lightbulb, nil, [.on])])
        add("Lamp or Fan", [(HAPType.Service.switch, nil, [.on])])
        add("Sunset", [(HAPType.Service.switch, nil, [.on])])
        add("Ben", [(HAPType.Service.switch, nil, [.on])])
        add(
            "Ceiling Fan",
            [
                (HAPType.Service.fanv2, "Fan", [.active, .rotationSpeed]),
                (HAPType.Service.lightbulb, "Fan Light", [.on, .brightness]),
            ]
        )
        add("Garage Door", [(HAPType.Service.garageDoorOpener, nil, [.currentDoorState, .targetDoorState])])
        add("Bathroom Window", [(HAPType.Service.contactSensor, nil, [.contactSensorState])])
        for remote in ["Remote One", "Remote Two"] {
            add(
                remote,
                [
                    (HAPType.Service.statelessProgrammableSwitch, "Button", [.programmableSwitchEvent]),
                    (HAPType.Service.statelessProgrammableSwitch, nil, [.programmableSwitchEvent]),
                ]
            )
        }
        add(
            "Thermostat",
            [(HAPType.Service.thermostat, nil, [.currentTemperature, .targetTemperature, .targetHeatingCoolingState])]
        )
        add("Television", [(HAPType.Service.television, nil, [.configuredName, .active])])
        vocabulary = HomeVocabulary(home)
    }

    var sentence: TriggerSentence { TriggerSentence(names: vocabulary, timeZone: Self.utc) }

    /// Reads a text, with IDs that count the events.
    func parse(_ text: String, now: Date = TextHome.now) throws(WhenError) -> TriggerDefinition {
        var count = 0
        return try WhenParser.definition(of: text, in: vocabulary, now: now, timeZone: Self.utc) {
            count += 1
            return Self.id(count)
        }
    }

    static func id(_ number: Int) -> UUID {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        let zero: UInt8 = 0
        return UUID(
            uuid: (
                zero, zero, zero, zero, zero, zero, zero, zero, bytes[7], bytes[6], bytes[5], bytes[4], bytes[3],
                bytes[2], bytes[1], bytes[0]
            )
        )
    }

    func characteristic(_ type: HAPType, of name: String) throws -> CharacteristicIdentity {
        let all = home.accessories.first { $0.name == name }.map(characteristics) ?? []
        return try #require(all.first { $0.0.type == type }?.0)
    }

    /// The characteristics of an accessory's user-facing services.
    func characteristics(of accessory: AccessoryRecord) -> [(CharacteristicIdentity, CharacteristicShape)] {
        home.services(of: accessory).filter(\.isUserFacing).flatMap(\.characteristics).compactMap { shape in
            home.identity(ofCharacteristic: shape.iid, in: accessory.id).map { ($0, shape) }
        }
    }

    private mutating func add(_ name: String, _ services: [(HAPType, String?, [Kind])]) {
        var iid: UInt64 = 1
        func next() -> UInt64 {
            defer { iid += 1 }
            return iid
        }
        var shapes = [
            ServiceShape(
                iid: next(),
                type: HAPType.Service.accessoryInformation,
                characteristics: [Kind.name.shape(next())]
            )
        ]
        for (type, reportedName, kinds) in services {
            shapes.append(
                ServiceShape(
                    iid: next(),
                    type: type,
                    reportedName: reportedName,
                    characteristics: kinds.map { $0.shape(next()) }
                )
            )
        }
        let candidate = AccessoryCandidate(
            id: UUID(),
            aid: 1,
            reportedName: name,
            category: nil,
            information: AccessoryInformation(manufacturer: "Acme", model: name, serialNumber: name),
            services: shapes
        )
        let server = String(format: "AA:BB:CC:DD:EE:%02X", home.accessories.count)
        let request = AddAccessories([candidate], server: server, name: nil, room: nil)
        let caller = Caller(user: ann, device: UUID(), app: "test", client: UUID())
        if let change = try? home.decide(request, by: caller, at: Self.now) { home.apply(change) }
    }

    /// A characteristic with the catalog's metadata.
    enum Kind: String {
        case name, on, brightness, active, rotationSpeed, lockCurrentState, lockTargetState, motionDetected
        case currentTemperature, targetTemperature, targetHeatingCoolingState, currentRelativeHumidity
        case currentDoorState, targetDoorState, contactSensorState, programmableSwitchEvent, statusLowBattery
        case configuredName

        func shape(_ iid: UInt64) -> CharacteristicShape {
            let definition = CharacteristicDefinition.named(rawValue)
            return CharacteristicShape(
                iid: iid,
                type: definition?.type ?? HAPType(short: 0),
                permissions: definition?.permissions ?? [],
                metadata: definition?.metadata ?? CharacteristicMetadata(format: .bool)
            )
        }
    }
}
