internal import HAP
internal import HAPCatalog

extension Check {
    private static let source = "HAP 6.6 (Attribute Database)"
    private static let catalog = "HAP 8 and 9 (Services and Characteristics)"
    private static let formats: Set<String> = [
        "bool", "uint8", "uint16", "uint32", "uint64", "int", "float", "string", "tlv8", "data",
    ]
    private static let permissionNames: Set<String> = ["pr", "pw", "ev", "aa", "tw", "hd", "wr"]

    /// Returns a check of each characteristic: a problem in words, or `nil`.
    private static func eachCharacteristic(
        _ name: String,
        _ severity: Severity,
        _ requirement: String,
        _ source: String,
        _ problem: @escaping @Sendable (CheckedDatabase.Characteristic) -> String?
    ) -> Check {
        Check("database.\(name)", severity, .paired, requirement, source) { context in
            let problems = try await context.database().characteristics.compactMap { characteristic in
                problem(characteristic).map { "\(characteristic.name): \($0)" }
            }
            try fail(problems)
        }
    }

    /// Returns a check of each service of each accessory: a problem in words, or `nil`.
    private static func eachService(
        _ name: String,
        _ severity: Severity,
        _ requirement: String,
        _ source: String,
        _ problem: @escaping @Sendable (CheckedDatabase.Service) -> String?
    ) -> Check {
        Check("database.\(name)", severity, .paired, requirement, source) { context in
            let problems = try await context.database().services.compactMap { aid, service in
                problem(service).map { "\(service.name) (\(aid).\(service.iid ?? 0)): \($0)" }
            }
            try fail(problems)
        }
    }

    private static func fail(_ problems: [String]) throws(CheckFailure) {
        guard let first = problems.first else { return }
        throw CheckFailure(problems.count == 1 ? first : "\(first), and \(problems.count - 1) more")
    }

    /// Returns a check of a string of each accessory's information.
    private static func information(
        _ name: String,
        _ type: HAPType,
        _ severity: Severity,
        _ requirement: String,
        _ isValid: @escaping @Sendable (String) -> Bool
    ) -> Check {
        Check("database.\(name)", severity, .paired, requirement, "HAP 8 (Accessory Information)") { context in
            let problems: [String] = try await context.database().characteristics.compactMap { characteristic in
                guard characteristic.type == type,
                    characteristic.serviceType == HAPType.Service.accessoryInformation
                else { return nil }
                guard let text = characteristic.value?.string else { return "\(characteristic.name): no string" }
                return isValid(text) ? nil : "\(characteristic.name): “\(PrintableText.excerpt(text))”"
            }
            try fail(problems)
        }
    }

    private static func isWhole(_ value: JSONValue?) -> Bool {
        value?.unsignedInteger.map { $0 > 0 } ?? false
    }

    /// Returns what is wrong with the JSON kind of a value, or `nil`.
    private static func kindProblem(_ characteristic: CheckedDatabase.Characteristic) -> String? {
        guard let value = characteristic.value, value != .null else { return nil }
        let isRight: Bool =
            switch (characteristic.format, value) {
            case ("bool", .bool), ("bool", .integer(0)), ("bool", .integer(1)): true
            case ("uint8", .bool): true
            case ("uint8", _), ("uint16", _), ("uint32", _), ("uint64", _): value.unsignedInteger != nil
            case ("int", _): value.integer != nil
            case ("float", .integer), ("float", .unsigned), ("float", .double): true
            case ("string", .string): true
            case ("tlv8", .string(let text)), ("data", .string(let text)): Base64.decode(text) != nil
            case ("bool", _), ("float", _), ("string", _), ("tlv8", _), ("data", _): false
            default: true
            }
        return isRight ? nil : "the value \(PrintableText.excerpt("\(value)")) doesn't fit \(characteristic.format)"
    }

    private static func number(_ value: JSONValue?) -> Double? {
        switch value {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .double(let value): value
        case .bool, .null, .string, .array, .object, nil: nil
        }
    }

    private static func boundsProblem(_ characteristic: CheckedDatabase.Characteristic) -> String? {
        let object = characteristic.object
        let (low, high) = (number(object["minValue"]), number(object["maxValue"]))
        if let low, let high, low > high { return "minValue \(low) is above maxValue \(high)" }
        if let step = number(object["minStep"]), step < 0 { return "minStep \(step) is negative" }
        guard let value = number(characteristic.value) else { return nil }
        if let low, value < low { return "the value \(value) is below minValue \(low)" }
        if let high, value > high { return "the value \(value) is above maxValue \(high)" }
        return nil
    }

    /// Returns whether a type is written as HAP asks: Apple's as up to eight uppercase hexadecimal digits without
    /// leading zeros, others as an uppercase UUID.
    private static func isCanonical(_ text: String) -> Bool {
        guard let type = HAPType(text) else { return false }
        return type.isApple ? text == type.shortForm : text == type.longForm
    }

    static let database: [Check] = [
        Check(
            "database.json",
            .must,
            .paired,
            "GET /accessories returns strict JSON (RFC 8259) with HTTP 200.",
            "HAP 6.6 (Attribute Database); RFC 8259"
        ) { context in
            let response = try await context.session().get("/accessories")
            try context.expect(response.status == .ok, context.describe(response))
            _ = try context.json(response)
        },
        Check(
            "database.content-type",
            .must,
            .paired,
            "JSON bodies have the content type application/hap+json.",
            "HAP 6.7 (HTTP)"
        ) { context in
            let type = try await context.session().get("/accessories").headers["Content-Type"]
            try context.expect(
                type?.lowercased().hasPrefix(HAPContentType.json) ?? false,
                "Content-Type: \(PrintableText.excerpt(type ?? "(none)"))"
            )
        },
        Check(
            "database.first",
            .must,
            .paired,
            "The first accessory is the primary one, with the aid 1.",
            source
        ) { context in
            let aid = try await context.database().accessories.first?.aid
            try context.expect(aid == 1, "The first aid is \(aid.map(String.init) ?? "absent").")
        },
        Check(
            "database.ids",
            .must,
            .paired,
            "Each aid and iid is a JSON integer from 1 to 2^64-1.",
            source
        ) { context in
            let database = try await context.database()
            for accessory in database.accessories {
                try context.expect((accessory.aid ?? 0) > 0, "An accessory without a valid aid")
                for service in accessory.services {
                    try context.expect(isWhole(service.object["iid"]), "\(service.name) has no valid iid.")
                    for characteristic in service.characteristics {
                        try context.expect(
                            isWhole(characteristic.object["iid"]),
                            "\(characteristic.name) in \(service.name) has no valid iid."
                        )
                    }
                }
            }
        },
        Check(
            "database.unique-aids",
            .must,
            .paired,
            "No two accessories have the same aid.",
            source
        ) { context in
            let aids = try await context.database().accessories.compactMap(\.aid)
            try context.expect(Set(aids).count == aids.count, "aids: \(aids.prefix(20))")
        },
        Check(
            "database.unique-iids",
            .must,
            .paired,
            "Within an accessory, no two services or characteristics have the same iid.",
            source
        ) { context in
            for accessory in try await context.database().accessories {
                var seen: Set<UInt64> = []
                let iids = accessory.services.flatMap { service in
                    [service.iid].compactMap(\.self) + service.characteristics.map(\.iid)
                }
                for iid in iids where !seen.insert(iid).inserted {
                    throw CheckFailure("Accessory \(accessory.aid ?? 0) has the iid \(iid) twice.")
                }
            }
        },
        Check(
            "database.counts",
            .must,
            .paired,
            "There are at most 150 accessories, 100 services each and 100 characteristics each.",
            source
        ) { context in
            let database = try await context.database()
            let counts = [
                (database.accessories.count, HAPLimits.accessories, "accessories"),
                (database.accessories.map(\.services.count).max() ?? 0, HAPLimits.services, "services"),
                (
                    database.services.map(\.service.characteristics.count).max() ?? 0, HAPLimits.characteristics,
                    "characteristics"
                ),
            ]
            for (count, limit, name) in counts { try context.expect(count <= limit, "\(count) \(name)") }
        },
        Check(
            "database.information",
            .must,
            .paired,
            "Each accessory has one Accessory Information service, with the iid 1.",
            "HAP 8 (Accessory Information)"
        ) { context in
            for accessory in try await context.database().accessories {
                let services = accessory.services.filter { $0.type == HAPType.Service.accessoryInformation }
                try context.expect(
                    services.count == 1 && services.first?.iid == 1,
                    "Accessory \(accessory.aid ?? 0) has \(services.count), the first with the iid \(services.first?.iid ?? 0)."
                )
            }
        },
        Check(
            "database.protocol",
            .must,
            .paired,
            "The primary accessory has the Protocol Information service with a Version.",
            "HAP 8 (Protocol Information)"
        ) { context in
            let version = try await context.database().first(
                HAPType.Characteristic.version,
                in: HAPType.Service.protocolInformation
            )
            try context.expect(version != nil, "The first accessory has none.")
        },
        Check(
            "database.protocol-version",
            .should,
            .paired,
            "The Version of the Protocol Information service is 1.1.0.",
            "HAP 8 (Protocol Information)"
        ) { context in
            let version = try await context.database().first(
                HAPType.Characteristic.version,
                in: HAPType.Service.protocolInformation
            )
            guard let text = version?.value?.string else { throw CheckNotApplicable("There is no Version.") }
            try context.expect(text == HAPVersion.characteristic, "“\(PrintableText.excerpt(text))”")
        },
        eachService(
            "required",
            .must,
            "Each service has the characteristics that its definition requires.",
            catalog
        ) { service in
            let types = Set(service.characteristics.compactMap(\.type))
            let missing = service.definition?.required.filter { !types.contains($0) } ?? []
            return missing.isEmpty
                ? nil
                : "lacks \(missing.map { CharacteristicDefinition.of($0)?.name ?? $0.shortForm }.joined(separator: ", "))"
        },
        eachService("unique-types", .must, "A service has each type of characteristic at most once.", source) {
            service in
            let types = service.characteristics.compactMap(\.type)
            return Set(types).count == types.count ? nil : "has a type twice"
        },
        eachService(
            "service-types",
            .should,
            "Apple's service types are short uppercase hexadecimal numbers, others uppercase UUIDs.",
            source
        ) { isCanonical($0.typeText) ? nil : "the type is “\(PrintableText.excerpt($0.typeText))”" },
        eachCharacteristic(
            "characteristic-types",
            .should,
            "Apple's characteristic types are short uppercase hexadecimal numbers, others uppercase UUIDs.",
            source
        ) { isCanonical($0.typeText) ? nil : "the type is “\(PrintableText.excerpt($0.typeText))”" },
        eachCharacteristic("formats", .must, "Each characteristic has one of HAP's ten formats.", source) {
            formats.contains($0.format) ? nil : "the format is “\(PrintableText.excerpt($0.format))”"
        },
        eachCharacteristic(
            "catalog-formats",
            .must,
            "A characteristic that HAP defines has the defined format.",
            catalog
        ) { characteristic in
            guard let definition = characteristic.definition else { return nil }
            let name = "\(definition.metadata.format)"
            let isSame = name == characteristic.format || characteristic.type == HAPType.Characteristic.colorTemperature
            return isSame ? nil : "\(PrintableText.excerpt(characteristic.format)) instead of \(name)"
        },
        eachCharacteristic(
            "permissions",
            .must,
            "Each characteristic has at least one permission, and none that HAP doesn't know.",
            source
        ) { characteristic in
            let names = Set(characteristic.permissions)
            let unknown = names.subtracting(permissionNames)
            if names.isEmpty { return "there are no perms" }
            return unknown.isEmpty
                ? nil : "perms has \(PrintableText.excerpt(unknown.sorted().joined(separator: ", ")))"
        },
        eachCharacteristic(
            "catalog-permissions",
            .should,
            "A characteristic that HAP defines isn't writable if its definition doesn't say so.",
            catalog
        ) { characteristic in
            guard let definition = characteristic.definition else { return nil }
            let isExtra = characteristic.allows("pw") && !definition.permissions.contains(.write)
            return isExtra ? "perms has pw" : nil
        },
        eachCharacteristic(
            "readable-values",
            .must,
            "A characteristic has a value exactly if it can be read (pr).",
            source
        ) { characteristic in
            let hasValue = characteristic.value != nil
            guard hasValue != characteristic.allows("pr") else { return nil }
            return hasValue ? "a value without pr" : "pr without a value"
        },
        eachCharacteristic(
            "value-kinds",
            .must,
            "A value has the JSON kind of its format.",
            "HAP 6.6 (Characteristics)",
            kindProblem
        ),
        eachCharacteristic(
            "bounds",
            .must,
            "Bounds are in order, and each value is within its bounds.",
            source,
            boundsProblem
        ),
        eachCharacteristic(
            "string-lengths",
            .must,
            "A string has at most maxLen bytes, 64 by default.",
            source
        ) { characteristic in
            guard characteristic.format == "string", let text = characteristic.value?.string else { return nil }
            let limit = characteristic.object["maxLen"]?.integer ?? Int64(HAPLimits.defaultStringLength)
            return text.utf8.count <= limit ? nil : "\(text.utf8.count) bytes"
        },
        Check(
            "database.linked",
            .must,
            .paired,
            "Linked services are other services of the same accessory.",
            source
        ) { context in
            for accessory in try await context.database().accessories {
                let iids = Set(accessory.services.compactMap(\.iid))
                for service in accessory.services {
                    for linked in service.object["linked"]?.array ?? [] {
                        let iid = linked.unsignedInteger ?? 0
                        try context.expect(
                            iids.contains(iid) && iid != service.iid,
                            "\(service.name) (\(accessory.aid ?? 0).\(service.iid ?? 0)) is linked to \(iid)."
                        )
                    }
                }
            }
        },
        Check(
            "database.primary",
            .must,
            .paired,
            "At most one service of an accessory is primary.",
            source
        ) { context in
            for accessory in try await context.database().accessories {
                let count = accessory.services.count { $0.object["primary"] == .bool(true) }
                try context.expect(count <= 1, "Accessory \(accessory.aid ?? 0) has \(count).")
            }
        },
        Check(
            "database.hidden",
            .should,
            .paired,
            "A service whose characteristics are all hidden is hidden.",
            source
        ) { context in
            for (aid, service) in try await context.database().services {
                let areHidden =
                    !service.characteristics.isEmpty && service.characteristics.allSatisfy { $0.allows("hd") }
                try context.expect(
                    !areHidden || service.object["hidden"] == .bool(true),
                    "\(service.name) (\(aid).\(service.iid ?? 0)) isn't."
                )
            }
        },
        information(
            "name",
            HAPType.Characteristic.name,
            .must,
            "The name isn't empty and has at most 64 bytes."
        ) { (1...64).contains($0.utf8.count) },
        information(
            "name-characters",
            HAPType.Characteristic.name,
            .should,
            "The name begins and ends with a letter or digit."
        ) { name in
            [name.first, name.last].allSatisfy { $0.map { $0.isLetter || $0.isNumber } ?? false }
        },
        information(
            "model",
            HAPType.Characteristic.model,
            .must,
            "The model has 1 to 64 bytes."
        ) { HAPLimits.modelLength.contains($0.utf8.count) },
        information(
            "serial-number",
            HAPType.Characteristic.serialNumber,
            .must,
            "The serial number has 2 to 64 bytes."
        ) { HAPLimits.serialNumberLength.contains($0.utf8.count) },
        information(
            "firmware-revision",
            HAPType.Characteristic.firmwareRevision,
            .must,
            "The firmware revision is one to three decimal numbers with periods between them."
        ) { $0.wholeMatch(of: /[0-9]+(\.[0-9]+){0,2}/) != nil },
        eachCharacteristic(
            "identify",
            .must,
            "Identify is a bool that can be written but not read.",
            "HAP 8 (Accessory Information)"
        ) { characteristic in
            guard characteristic.type == HAPType.Characteristic.identify else { return nil }
            let isRight =
                characteristic.format == "bool" && characteristic.allows("pw") && !characteristic.allows("pr")
            return isRight ? nil : "\(characteristic.format), \(characteristic.permissions.joined(separator: " "))"
        },
        Check(
            "database.users",
            .must,
            .paired,
            "A user gets the same database as an admin.",
            source
        ) { context in
            let user = try await context.addController(.user)
            let body = try await context.session(as: user).get("/accessories").body
            try await context.removeController(user)
            let mine = try await context.session().get("/accessories").body
            let ids = [mine, body].map { CheckedDatabase($0)?.characteristics.map(\.id) ?? [] }
            try context.expect(
                ids[0] == ids[1],
                "\(ids[0].count) characteristics for the admin, \(ids[1].count) for the user"
            )
        },
    ]
}
