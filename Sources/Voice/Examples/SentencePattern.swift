import HomeModel

/// The patterns of example sentences in a language's file: a line `=say.key: text` each, with `{name}`, `{room}` and
/// `{number}` as fields.
enum SentencePattern: String, CaseIterable {
    case on = "say.on"
    case off = "say.off"
    case brightness = "say.brightness"
    case open = "say.open"
    case close = "say.close"
    case lock = "say.lock"
    case unlock = "say.unlock"
    case temperature = "say.temperature"
    case lightsOn = "say.lightsOn"
    case lightsOff = "say.lightsOff"
    case allLightsOff = "say.allLightsOff"
    case isOn = "say.isOn"
    case isOpen = "say.isOpen"
    case isLocked = "say.isLocked"
    case howWarm = "say.howWarm"
    case run = "say.run"
    case later = "say.later"

    /// The numbers that examples and grammars say.
    var numbers: ClosedRange<Int>? {
        switch self {
        case .brightness: 1...100
        case .temperature: 16...28
        default: nil
        }
    }

    /// The number of an example.
    var number: Int { self == .temperature ? 21 : 40 }

    /// Returns the services whose names fit.
    func fits(_ service: SpokenHome.Service) -> Bool {
        let kind = service.kind
        let isPlain = !kind.isGuarded && kind != .blinds && kind != .thermostat
        let hasPower = isPlain && !service.traits.isDisjoint(with: [.on, .active])
        return switch self {
        case .on, .off, .isOn, .later: hasPower
        case .brightness: isPlain && service.traits.contains(.brightness)
        case .open, .close, .isOpen: [.blinds, .garageDoor, .window, .door].contains(kind)
        case .lock, .unlock, .isLocked: kind == .lock
        case .temperature: kind == .thermostat && service.traits.contains(.targetTemperature)
        case .lightsOn, .lightsOff, .allLightsOff: kind == .light
        case .howWarm: service.traits.contains(.currentTemperature)
        case .run: false
        }
    }

    /// What the pattern has a field for.
    var subject: Subject {
        switch self {
        case .lightsOn, .lightsOff, .howWarm: .room
        case .allLightsOff: .home
        case .run: .scene
        default: .service
        }
    }

    enum Subject {
        case service, room, scene, home
    }

    /// Returns whether an interpretation is what the pattern means for its subject.
    ///
    /// - Parameters:
    ///   - services: The IDs of the services that it is about.
    ///   - scene: The ID of the scene that it is about.
    func means(_ interpretation: Interpretation, services: Set<String>, scene: String?) -> Bool {
        guard case .requests(let requests) = interpretation, requests.count == 1 else { return false }
        switch (requests[0], self) {
        case (.run(let scenes, nil), .run): return scenes == [scene]
        case (.read(let reads, _), .isOn), (.read(let reads, _), .isOpen), (.read(let reads, _), .isLocked),
            (.read(let reads, _), .howWarm):
            return !reads.isEmpty && Set(reads.map(\.service)).isSubset(of: services)
        case (.write(let writes, let time, _), _):
            guard Set(writes.map(\.service)) == services, (time != nil) == (self == .later) else { return false }
            return writes.contains { write in
                switch self {
                case .on, .lightsOn: [.on, .active].contains(write.trait) && write.value == 1
                case .off, .lightsOff, .allLightsOff, .later:
                    [.on, .active].contains(write.trait) && write.value == 0
                case .brightness: write.trait == .brightness && write.value == Double(number)
                case .open: write.value == (write.trait == .targetDoorState ? 0 : 100)
                case .close: write.value == (write.trait == .targetDoorState ? 1 : 0)
                case .lock: write.trait == .lockTargetState && write.value == 1
                case .unlock: write.trait == .lockTargetState && write.value == 0
                case .temperature: write.trait == .targetTemperature
                default: false
                }
            }
        default: return false
        }
    }
}
