import Foundation
import HAPCatalog
import HomeModel

// Accessories for automations, and shorthands for their parts.

extension TestHome {
    /// Adds an accessory with a lamp (iid 10), a thermometer (20), a switch (30) and a contact sensor (40).
    mutating func addGadget(_ name: String, server: String = TestHome.server) throws(HomeError) -> UUID {
        let gadget = AccessoryCandidate.gadget(name)
        try ask(AddAccessories([gadget], server: server, name: nil, room: nil))
        return gadget.id
    }

    mutating func addActionSet(_ name: String) throws(HomeError) -> UUID {
        let id = UUID()
        try ask(AddActionSet(id: id, name: name))
        return id
    }

    /// Adds an action set that turns a gadget's lamp on.
    mutating func addActionSet(_ name: String, lightingUp gadget: UUID) throws(HomeError) -> UUID {
        let id = try addActionSet(name)
        try ask(AddAction(id: UUID(), power(of: gadget), value: .bool(true), actionSet: id))
        return id
    }

    mutating func addGroup(_ name: String) throws(HomeError) -> UUID {
        let id = UUID()
        try ask(AddServiceGroup(id: id, name: name))
        return id
    }

    mutating func addTrigger(_ name: String, _ definition: TriggerDefinition) throws(HomeError) -> UUID {
        let id = UUID()
        try ask(AddTrigger(id: id, name: name, definition))
        return id
    }

    /// Adds an enabled trigger that runs an action set.
    mutating func addTrigger(
        _ name: String,
        _ definition: TriggerDefinition,
        running actionSet: UUID
    ) throws(HomeError) -> UUID {
        let id = try addTrigger(name, definition)
        try ask(AddActionSetToTrigger(actionSet: actionSet, trigger: id))
        try ask(EnableTrigger(id, true))
        return id
    }

    func service(_ iid: UInt64, of accessory: UUID) -> ServiceIdentity {
        home.identity(ofService: iid, in: accessory) ?? ServiceIdentity(accessory: accessory, service: UUID())
    }

    func characteristic(_ iid: UInt64, of accessory: UUID) -> CharacteristicIdentity {
        home.identity(ofCharacteristic: iid, in: accessory)
            ?? CharacteristicIdentity(
                accessory: accessory,
                characteristic: UUID(),
                type: HAPType.Characteristic.on
            )
    }

    /// The lamp's power: readable, writable, notifying.
    func power(of gadget: UUID) -> CharacteristicIdentity { characteristic(11, of: gadget) }

    /// The lamp's brightness: writable, 0 to 100.
    func brightness(of gadget: UUID) -> CharacteristicIdentity { characteristic(12, of: gadget) }

    /// The thermometer's temperature: readable and notifying, -20 to 60.
    func temperature(of gadget: UUID) -> CharacteristicIdentity { characteristic(21, of: gadget) }

    func trigger(_ id: UUID) -> TriggerRecord? { home.triggers[id: id] }

    /// The rule of an event trigger; an empty rule for any other trigger.
    func rule(of id: UUID) -> EventRule {
        guard case .event(let rule)? = home.triggers[id: id]?.definition else { return EventRule(events: []) }
        return rule
    }

    /// A definition that fires when a gadget's lamp changes.
    func switching(_ gadget: UUID, condition: Condition? = nil) -> TriggerDefinition {
        .event(EventRule(events: [.init(.characteristic(power(of: gadget), nil))], condition: condition))
    }
}

extension TriggerEvent {
    init(_ occurrence: Occurrence) {
        self.init(id: UUID(), occurrence: occurrence)
    }
}

extension TriggerDefinition {
    /// A timer that fires the given number of seconds after the test's time.
    static func timer(in seconds: Double, every recurrence: RecurrenceInterval? = nil) -> TriggerDefinition {
        .timer(TimerSchedule(fireDate: TestHome.time.addingTimeInterval(seconds), recurrence: recurrence))
    }
}

extension AccessoryCandidate {
    static func gadget(_ name: String, aid: UInt64 = 1) -> AccessoryCandidate {
        var gadget = lamp(name, aid: aid)
        gadget.services = [
            .information,
            ServiceShape(
                iid: 10,
                type: HAPType.Service.lightbulb,
                characteristics: [
                    .init(
                        iid: 11,
                        type: HAPType.Characteristic.on,
                        permissions: [.read, .write, .notify],
                        format: .bool
                    ),
                    CharacteristicShape(
                        iid: 12,
                        type: HAPType.Characteristic.brightness,
                        permissions: [.write],
                        metadata: CharacteristicMetadata(format: .int, minValue: .integer(0), maxValue: .integer(100))
                    ),
                ]
            ),
            ServiceShape(
                iid: 20,
                type: HAPType.Service.temperatureSensor,
                characteristics: [
                    CharacteristicShape(
                        iid: 21,
                        type: HAPType.Characteristic.currentTemperature,
                        permissions: [.read, .notify],
                        metadata: CharacteristicMetadata(
                            format: .float,
                            minValue: .integer(-20),
                            maxValue: .integer(60)
                        )
                    ),
                    .init(
                        iid: 22,
                        type: HAPType.Characteristic.name,
                        permissions: [.read, .write, .notify],
                        format: .string
                    ),
                ]
            ),
            ServiceShape(
                iid: 30,
                type: HAPType.Service.switch,
                characteristics: [
                    .init(iid: 31, type: HAPType.Characteristic.on, permissions: [.read, .write], format: .bool)
                ]
            ),
            ServiceShape(iid: 40, type: HAPType.Service.contactSensor, characteristics: []),
        ]
        return gadget
    }
}
