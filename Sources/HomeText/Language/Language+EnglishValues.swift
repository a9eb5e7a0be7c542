import HAPCatalog

extension Language {
    private typealias Characteristic = HAPType.Characteristic

    /// The first rows come first where several characteristics of a service have the same words.
    static let englishValues: [ValueWords] = power + openings + sensors + climate + states

    private static let power = [
        onOff(Characteristic.on), onOff(Characteristic.active), onOff(Characteristic.homeKitCameraActive),
    ].flatMap(\.self)

    private static func onOff(_ type: HAPType) -> [ValueWords] {
        [
            ValueWords(
                type,
                0,
                "off",
                happens: "turns off",
                happened: "turned off",
                command: "turn {name} off",
                otherVerbs: ["is turned off", "is switched off", "goes off", "switches off"]
            ),
            ValueWords(
                type,
                1,
                "on",
                happens: "turns on",
                happened: "turned on",
                command: "turn {name} on",
                otherVerbs: ["is turned on", "is switched on", "goes on", "switches on"]
            ),
        ]
    }

    private static let openings: [ValueWords] = [
        ValueWords(Characteristic.lockCurrentState, 0, "unlocked", happens: "unlocks", happened: "unlocked"),
        ValueWords(Characteristic.lockCurrentState, 1, "locked", happens: "locks", happened: "locked"),
        ValueWords(Characteristic.lockCurrentState, 2, "jammed", happens: "jams", happened: "jammed"),
        ValueWords(Characteristic.lockCurrentState, 3, "unknown", isPlain: false),
        ValueWords(
            Characteristic.currentDoorState,
            0,
            "open",
            happens: "opens",
            happened: "opened",
            otherVerbs: ["is opened"]
        ),
        ValueWords(Characteristic.currentDoorState, 1, "closed", happens: "closes", happened: "closed"),
        ValueWords(
            Characteristic.currentDoorState,
            2,
            "opening",
            happens: "starts opening",
            happened: "started opening"
        ),
        ValueWords(
            Characteristic.currentDoorState,
            3,
            "closing",
            happens: "starts closing",
            happened: "started closing"
        ),
        ValueWords(Characteristic.currentDoorState, 4, "stopped", isPlain: false),
        ValueWords(Characteristic.contactSensorState, 0, "closed", happens: "closes", happened: "closed"),
        ValueWords(Characteristic.contactSensorState, 1, "open", happens: "opens", happened: "opened"),
        ValueWords(Characteristic.lockTargetState, 0, "unlocked", command: "unlock {name}", isPlain: false),
        ValueWords(Characteristic.lockTargetState, 1, "locked", command: "lock {name}", isPlain: false),
        ValueWords(Characteristic.targetDoorState, 0, "open", command: "open {name}", isPlain: false),
        ValueWords(Characteristic.targetDoorState, 1, "closed", command: "close {name}", isPlain: false),
    ]

    private static let sensors: [ValueWords] = [
        detection(Characteristic.motionDetected, "motion"),
        detection(Characteristic.occupancyDetected, "occupancy"),
        detection(Characteristic.leakDetected, "a leak", none: "no leak"),
        detection(Characteristic.smokeDetected, "smoke"),
        detection(Characteristic.carbonMonoxideDetected, "carbon monoxide"),
        detection(Characteristic.carbonDioxideDetected, "carbon dioxide"),
        detection(Characteristic.obstructionDetected, "an obstruction", none: "no obstruction"),
        [
            ValueWords(
                Characteristic.programmableSwitchEvent,
                0,
                "pressed once",
                happens: "is pressed",
                happened: "was pressed",
                isPlain: false
            ),
            ValueWords(
                Characteristic.programmableSwitchEvent,
                1,
                "pressed twice",
                happens: "is pressed twice",
                happened: "was pressed twice",
                otherVerbs: ["is double pressed", "is double-pressed"],
                isPlain: false
            ),
            ValueWords(
                Characteristic.programmableSwitchEvent,
                2,
                "held",
                happens: "is held",
                happened: "was held",
                otherVerbs: ["is long pressed", "is long-pressed", "is pressed long"],
                isPlain: false
            ),
            ValueWords(Characteristic.statusLowBattery, 0, "normal", isPlain: false),
            ValueWords(
                Characteristic.statusLowBattery,
                1,
                "low",
                happens: "has a low battery",
                happened: "had a low battery",
                does: "has a low battery",
                did: "had a low battery",
                isPlain: false
            ),
            ValueWords(Characteristic.statusTampered, 0, "not tampered with", isPlain: false),
            ValueWords(
                Characteristic.statusTampered,
                1,
                "tampered with",
                happens: "is tampered with",
                happened: "was tampered with"
            ),
            ValueWords(Characteristic.outletInUse, 0, "not in use", isPlain: false),
            ValueWords(Characteristic.outletInUse, 1, "in use"),
            ValueWords(Characteristic.inUse, 0, "not in use", isPlain: false),
            ValueWords(Characteristic.inUse, 1, "in use"),
        ],
    ].flatMap(\.self)

    private static func detection(_ type: HAPType, _ thing: String, none: String? = nil) -> [ValueWords] {
        let none = none ?? "no \(thing)"
        return [
            ValueWords(
                type,
                0,
                "not detected",
                happens: "stops detecting \(thing)",
                happened: "stopped detecting \(thing)",
                does: "detects \(none)",
                did: "detected \(none)",
                isPlain: false
            ),
            ValueWords(
                type,
                1,
                "detected",
                happens: "detects \(thing)",
                happened: "detected \(thing)",
                does: "detects \(thing)",
                did: "detected \(thing)",
                otherVerbs: ["sees \(thing)", "notices \(thing)", "senses \(thing)"],
                isPlain: false
            ),
        ]
    }

    private static let climate: [ValueWords] = [
        ValueWords(Characteristic.targetHeatingCoolingState, 0, "off", command: "turn {name} off", isPlain: false),
        ValueWords(Characteristic.targetHeatingCoolingState, 1, "heat", command: "set {name} to heat", isPlain: false),
        ValueWords(Characteristic.targetHeatingCoolingState, 2, "cool", command: "set {name} to cool", isPlain: false),
        ValueWords(Characteristic.targetHeatingCoolingState, 3, "auto", command: "set {name} to auto", isPlain: false),
        ValueWords(Characteristic.currentHeatingCoolingState, 0, "off", isPlain: false),
        ValueWords(
            Characteristic.currentHeatingCoolingState,
            1,
            "heating",
            happens: "starts heating",
            happened: "started heating"
        ),
        ValueWords(
            Characteristic.currentHeatingCoolingState,
            2,
            "cooling",
            happens: "starts cooling",
            happened: "started cooling"
        ),
        ValueWords(
            Characteristic.currentHeaterCoolerState,
            2,
            "heating",
            happens: "starts heating",
            happened: "started heating"
        ),
        ValueWords(
            Characteristic.currentHeaterCoolerState,
            3,
            "cooling",
            happens: "starts cooling",
            happened: "started cooling"
        ),
    ]

    private static let states: [ValueWords] = [
        ValueWords(Characteristic.securitySystemCurrentState, 0, "armed for stay"),
        ValueWords(Characteristic.securitySystemCurrentState, 1, "armed for away"),
        ValueWords(Characteristic.securitySystemCurrentState, 2, "armed for the night"),
        ValueWords(
            Characteristic.securitySystemCurrentState,
            3,
            "disarmed",
            happens: "is disarmed",
            happened: "was disarmed"
        ),
        ValueWords(
            Characteristic.securitySystemCurrentState,
            4,
            "triggered",
            happens: "raises an alarm",
            happened: "raised an alarm"
        ),
        ValueWords(
            Characteristic.securitySystemTargetState,
            0,
            "armed for stay",
            command: "arm {name} for stay",
            isPlain: false
        ),
        ValueWords(
            Characteristic.securitySystemTargetState,
            1,
            "armed for away",
            command: "arm {name} for away",
            isPlain: false
        ),
        ValueWords(
            Characteristic.securitySystemTargetState,
            2,
            "armed for the night",
            command: "arm {name} for the night",
            isPlain: false
        ),
        ValueWords(Characteristic.securitySystemTargetState, 3, "disarmed", command: "disarm {name}", isPlain: false),
        ValueWords(Characteristic.mute, 0, "not muted", command: "unmute {name}", isPlain: false),
        ValueWords(Characteristic.mute, 1, "muted", command: "mute {name}"),
    ]
}
