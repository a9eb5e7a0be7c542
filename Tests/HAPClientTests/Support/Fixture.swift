import HAP
import HAPCatalog

/// A small accessory: a lamp, a lock, and a door that requires timed writes.
enum Fixture {
    static let name = CharacteristicID(aid: 1, iid: 3)
    static let on = CharacteristicID(aid: 1, iid: 9)
    static let brightness = CharacteristicID(aid: 1, iid: 10)
    static let lockTarget = CharacteristicID(aid: 1, iid: 12)
    static let timed = CharacteristicID(aid: 1, iid: 13)
    static let unknown = CharacteristicID(aid: 1, iid: 99)

    static let accessories = [
        AccessoryAttributes(
            aid: 1,
            services: [
                ServiceAttributes(
                    iid: 1,
                    type: .Service.accessoryInformation,
                    characteristics: [
                        characteristic(2, .Characteristic.identify, [.write], .bool, nil),
                        characteristic(name.iid, .Characteristic.name, [.read], .string, .string("Fake")),
                    ]
                ),
                ServiceAttributes(
                    iid: 8,
                    type: .Service.lightbulb,
                    characteristics: [
                        characteristic(on.iid, .Characteristic.on, [.read, .write, .notify], .bool, .bool(false)),
                        characteristic(
                            brightness.iid,
                            .Characteristic.brightness,
                            [.read, .write, .notify],
                            .int,
                            .integer(40)
                        ),
                    ]
                ),
                ServiceAttributes(
                    iid: 11,
                    type: .Service.lockMechanism,
                    characteristics: [
                        characteristic(
                            lockTarget.iid,
                            .Characteristic.lockTargetState,
                            [.read, .write, .notify],
                            .uint8,
                            .integer(1)
                        ),
                        characteristic(
                            timed.iid,
                            HAPType(uuid: 0x7E53_6242_341C_4862_BE90_272C_E15B_D633),
                            [.read, .write, .timedWrite],
                            .uint8,
                            .integer(0)
                        ),
                    ]
                ),
            ]
        )
    ]

    /// The body of a response to `GET /accessories`.
    static let body = AttributeDatabase(accessories: accessories).encoded()

    private static func characteristic(
        _ iid: UInt64,
        _ type: HAPType,
        _ permissions: CharacteristicPermissions,
        _ format: CharacteristicFormat,
        _ value: CharacteristicValue?
    ) -> CharacteristicAttributes {
        CharacteristicAttributes(
            iid: iid,
            type: type,
            permissions: permissions,
            metadata: CharacteristicMetadata(format: format),
            value: value
        )
    }
}
