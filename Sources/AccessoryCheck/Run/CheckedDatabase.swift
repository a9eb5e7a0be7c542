internal import HAP
internal import HAPCatalog

/// An accessory's database as it was received. Nothing is repaired or left out.
struct CheckedDatabase {
    struct Accessory {
        let aid: UInt64?
        let services: [Service]
    }

    struct Service {
        let object: JSONObject
        let characteristics: [Characteristic]

        var iid: UInt64? { object["iid"]?.unsignedInteger }
        var typeText: String { object["type"]?.string ?? "" }
        var type: HAPType? { HAPType(typeText) }
        var definition: ServiceDefinition? { type.flatMap { ServiceDefinition.of($0) } }
        var name: String { definition?.name ?? "service \(PrintableText.excerpt(typeText))" }
    }

    struct Characteristic {
        let aid: UInt64
        let serviceType: HAPType?
        let object: JSONObject

        var iid: UInt64 { object["iid"]?.unsignedInteger ?? 0 }
        var id: CharacteristicID { CharacteristicID(aid: aid, iid: iid) }
        var typeText: String { object["type"]?.string ?? "" }
        var type: HAPType? { HAPType(typeText) }
        var definition: CharacteristicDefinition? { type.flatMap { CharacteristicDefinition.of($0) } }
        var permissions: [String] { object["perms"]?.array?.compactMap(\.string) ?? [] }
        var format: String { object["format"]?.string ?? "" }
        var value: JSONValue? { object["value"] }
        var name: String { "\(definition?.name ?? PrintableText.excerpt(typeText)) (\(aid).\(iid))" }

        func allows(_ permission: String) -> Bool { permissions.contains(permission) }
    }

    let accessories: [Accessory]

    /// Returns `nil` if the text isn't JSON or has no list of accessories.
    init?(_ body: [UInt8]) {
        guard let root = try? JSONValue(parsing: body, allowingTrailingCommas: true),
            let list = root.object?["accessories"]?.array
        else { return nil }
        accessories = list.compactMap(\.object).map { accessory in
            let aid = accessory["aid"]?.unsignedInteger
            return Accessory(
                aid: aid,
                services: (accessory["services"]?.array ?? []).compactMap(\.object).map { service in
                    Service(
                        object: service,
                        characteristics: (service["characteristics"]?.array ?? []).compactMap(\.object).map {
                            Characteristic(
                                aid: aid ?? 0,
                                serviceType: service["type"]?.string.flatMap { HAPType($0) },
                                object: $0
                            )
                        }
                    )
                }
            )
        }
    }

    var services: [(aid: UInt64, service: Service)] {
        accessories.flatMap { accessory in accessory.services.map { (accessory.aid ?? 0, $0) } }
    }

    var characteristics: [Characteristic] {
        accessories.flatMap { $0.services.flatMap(\.characteristics) }
    }

    /// Returns the first characteristic of a type in the first accessory's service of a type.
    func first(_ type: HAPType, in service: HAPType) -> Characteristic? {
        accessories.first?.services.first { $0.type == service }?.characteristics.first { $0.type == type }
    }
}
