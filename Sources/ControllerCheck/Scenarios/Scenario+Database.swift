import AccessoryCheck
import DNSSD
import HAP
import HAPCatalog
import HAPServer

extension Scenario {
    /// Accessories whose list has the same thing twice, or other IDs than before.
    static let database: [Scenario] = [
        repeated(
            "repeated-accessory",
            "Two accessories of the list have the same accessory ID, and other characteristics with the same instance IDs.",
            ControllerCheck(
                "database.repeated-aid",
                .must,
                "A characteristic whose ID occurs in two accessories is never written as both.",
                "HAP, Attribute Database"
            ) { try $0.expectOneMeaning() }
        ) { database in
            guard let lamp = database.accessories.last, let power = database.power else { return }
            var other = lamp
            other.services = other.services.filter { $0.type == HAPType.Service.accessoryInformation }
            other.services += lamp.services.filter { $0.type == HAPType.Service.lightbulb }.map { service in
                var service = service
                service.characteristics = [brightness(power.iid)].compactMap(\.self)
                return service
            }
            database.accessories.append(other)
        },
        repeated(
            "repeated-instance",
            "Two characteristics of an accessory have the same instance ID.",
            ControllerCheck(
                "database.repeated-iid",
                .must,
                "A characteristic whose instance ID occurs twice is never written as both.",
                "HAP, Attribute Database"
            ) { try $0.expectOneMeaning() }
        ) { database in
            guard let power = database.power else { return }
            database.changeLamp { characteristic in
                if characteristic.type == HAPType.Characteristic.brightness { characteristic.iid = power.iid }
            }
        },
        repeated(
            "repeated-type",
            "A service has two characteristics of one type. Only the first can be written.",
            accessories: [ScenarioAccessory.bridge, ScenarioAccessory.watchedLamp],
            ControllerCheck(
                "database.repeated-type",
                .must,
                "Of two characteristics of one type, the one that can't be written isn't written.",
                "HAP, Attribute Database"
            ) { course in
                _ = try course.firstTrap()
                let twin = course.list(in: course.exchanges.indices)?.lampID(HAPType.Characteristic.statusActive)
                for exchange in course.secured where exchange.request.writtenIDs.contains(where: { $0 == twin }) {
                    throw CheckFailure(exchange.line)
                }
            }
        ) { database in
            database.changeLamp { characteristic in
                if characteristic.type == HAPType.Characteristic.statusActive {
                    characteristic.type = HAPType.Characteristic.on
                }
            }
        },
        Scenario(
            "moved-ids",
            .lenient,
            "The connection is lost, the services have other instance IDs, and the configuration number c# goes up.",
            needsAdvertising: true,
            checks: [
                relists(
                    "discovery.moved-ids",
                    "When c# has gone up while the connection was lost, the controller lists the accessories again."
                ),
                ControllerCheck(
                    "writes.moved-ids",
                    .must,
                    "Once the accessories are listed again, only characteristics of the new list are written.",
                    "HAP, Attribute Database"
                ) { course in
                    let (list, writes) = try course.writesToNewList()
                    let ids = Set(
                        list.accessories.flatMap { accessory in
                            accessory.services.flatMap(\.characteristics)
                                .map { CharacteristicID(aid: accessory.aid, iid: $0.iid) }
                        }
                    )
                    for write in writes where !write.request.writtenIDs.allSatisfy(ids.contains) {
                        throw CheckFailure(write.line)
                    }
                },
            ]
        ) { _ in restarting(with: ScenarioAccessory.movedLamp) },
        Scenario(
            "swapped-ids",
            .hostile,
            "The connection is lost, and the lamp and the switch have exchanged their instance IDs. c# stays.",
            checks: [
                ControllerCheck(
                    "writes.swapped-ids",
                    .must,
                    "Once the accessories are listed again, an ID that belongs to the switch isn't written as the lamp's.",
                    "HAP, Attribute Database; HAP, Timed Writes"
                ) { course in
                    // Only the switch needs timed writes, so a plain one was meant for the lamp.
                    let (list, writes) = try course.writesToNewList()
                    let timed = list.timedIDs
                    for write in writes where write.request.writeRequest?.pid == nil {
                        if write.request.writtenIDs.contains(where: timed.contains) { throw CheckFailure(write.line) }
                    }
                }
            ]
        ) { _ in
            var behavior = restarting(with: ScenarioAccessory.swappedLamp)
            behavior.advertisement = { record, _ in
                var record = record
                record["c#"] = "1"
                return record
            }
            return behavior
        },
    ]

    private static func repeated(
        _ name: String,
        _ summary: String,
        accessories: [HostedAccessory] = [ScenarioAccessory.bridge, ScenarioAccessory.lamp],
        _ check: ControllerCheck,
        change: @escaping @Sendable (inout AttributeDatabase) -> Void
    ) -> Scenario {
        Scenario(name, .hostile, summary, checks: [check]) { _ in
            var behavior = Behavior(
                trap: .atAccessories(
                    limit: .max,
                    .respond { response, _ in
                        guard var list = try? AttributeDatabase(decoding: response.body) else {
                            return response.encoded()
                        }
                        change(&list)
                        var response = response
                        response.body = list.encoded()
                        return response.encoded()
                    }
                )
            )
            behavior.accessories = accessories
            return behavior
        }
    }

    private static func restarting(with lamp: HostedAccessory) -> Behavior {
        var behavior = Behavior(trap: .atSubscriber(.fault(RequestFault(outcome: .halved))))
        behavior.accessoriesWhenSprung = [ScenarioAccessory.bridge, lamp]
        behavior.restartsWhenSprung = true
        return behavior
    }

    private static func brightness(_ iid: UInt64) -> CharacteristicAttributes? {
        CharacteristicDefinition.of(HAPType.Characteristic.brightness)
            .map { CharacteristicAttributes(iid: iid, $0, value: .integer(50)) }
    }
}

// MARK: What these checks ask for

extension Course {
    /// Returns the accessory's own list at the last of some exchanges that got one.
    fileprivate func list(in indices: Range<Int>) -> AttributeDatabase? {
        for exchange in exchanges[indices].reversed()
        where exchange.isSecured && exchange.request.path == "/accessories" {
            if let body = exchange.response?.body, let list = try? AttributeDatabase(decoding: body) { return list }
        }
        return nil
    }

    /// Throws a failure if the values written to the lamp's power are neither all for a switch nor all for a
    /// brightness, which has its ID too.
    fileprivate func expectOneMeaning() throws {
        _ = try firstTrap()
        guard let power = list(in: exchanges.indices)?.lampID(HAPType.Characteristic.on) else { return }
        let values = secured.flatMap { $0.request.writeRequest?.entries ?? [] }.filter { $0.id == power }
            .compactMap(\.value)
        let areOfSwitch = values.allSatisfy { $0.converted(to: .bool) != nil }
        let areOfBrightness = values.allSatisfy { $0.wholeNumber.map { (0...100).contains($0) } ?? false }
        guard areOfSwitch || areOfBrightness else {
            throw CheckFailure("\(power) got \(values.map { "\($0)" }.joined(separator: ", "))")
        }
    }

    /// Returns the list that the controller read after the trap, and the writes of values after that.
    fileprivate func writesToNewList() throws -> (list: AttributeDatabase, writes: [Exchange]) {
        let trap = try firstTrap()
        for index in exchanges.indices[(trap.exchange + 1)...] {
            guard let list = list(in: index..<(index + 1)) else { continue }
            let writes = exchanges[(index + 1)...].filter { $0.isSecured && $0.request.writesValue }
            guard !writes.isEmpty else { throw CheckNotApplicable("The controller wrote nothing afterwards.") }
            return (list, writes)
        }
        throw CheckNotApplicable("The controller didn't list the accessories again.")
    }
}

extension HTTPRequest {
    /// The characteristics whose values a write changes.
    fileprivate var writtenIDs: [CharacteristicID] {
        writeRequest?.entries.filter { $0.value != nil }.map(\.id) ?? []
    }
}

extension AttributeDatabase {
    /// The lamp's power, without that of the switch.
    fileprivate var power: CharacteristicID? { lampID(HAPType.Characteristic.on) }

    /// Returns the ID of a characteristic of the lamp, without the switch.
    fileprivate func lampID(_ type: HAPType) -> CharacteristicID? {
        for accessory in accessories {
            for service in accessory.services where service.type == HAPType.Service.lightbulb {
                if let characteristic = service.characteristics.first(where: { $0.type == type }) {
                    return CharacteristicID(aid: accessory.aid, iid: characteristic.iid)
                }
            }
        }
        return nil
    }

    /// Changes the characteristics of the lamp.
    fileprivate mutating func changeLamp(_ change: (inout CharacteristicAttributes) -> Void) {
        for accessory in accessories.indices {
            for service in accessories[accessory].services.indices
            where accessories[accessory].services[service].type == HAPType.Service.lightbulb {
                for index in accessories[accessory].services[service].characteristics.indices {
                    change(&accessories[accessory].services[service].characteristics[index])
                }
            }
        }
    }
}
