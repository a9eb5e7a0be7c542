internal import HAP
internal import HAPCatalog
internal import HAPServer

extension AccessoryDescription {
    private typealias Key = AccessoryFileKey

    /// Parses an accessory file.
    ///
    /// - Parameter source: The file's name, for errors.
    /// - Throws: ``SimulatorError`` with the code `invalidFile`; the reason names the line and the field.
    public init(parsing bytes: [UInt8], source: String) throws(SimulatorError) {
        guard bytes.count <= Self.fileSize else {
            throw SimulatorError(.invalidFile, reason: "\(source) is larger than \(Self.fileSize) bytes")
        }
        try self.init(try FileNode(parsing: FileText(name: source, bytes: bytes)), source: source)
    }

    /// Reads the content of an accessory file, which can be part of a request.
    init(_ root: FileNode, source: String) throws(SimulatorError) {
        _ = try root.members(Key.root + Key.accessory)
        let format = try root.required(Key.format)
        guard try format.integer() == Key.currentFormat else {
            throw format.error("this version only supports format \(Key.currentFormat)")
        }
        let bridged = try root.member(Key.accessories)?.elements()
        self.init(
            category: try Self.category(root, isBridge: bridged != nil),
            setupCode: try root.member(Key.setupCode).map(Self.setupCode),
            setupID: try root.member(Key.setupID)?.parsed("setup ID; use four characters from 0-9 and A-Z") {
                SetupID($0)
            },
            deviceID: try root.member(Key.deviceID)?.parsed("device ID; use a form such as 11:22:33:44:55:66") {
                DeviceID($0)
            },
            accessories: [],
            source: source
        )
        try append(root)
        for node in bridged ?? [] {
            _ = try node.members(Key.accessory)
            try append(node)
        }
        do {
            try AccessoryServer.check(accessories)
        } catch {
            throw root.refusal("\(source): \(error.reason)")
        }
    }

    /// Reads a bridged accessory. Only ``accessories``, ``delays`` and ``habits`` of the result are meaningful.
    init(bridged node: FileNode) throws(SimulatorError) {
        _ = try node.members(Key.accessory)
        self.init(category: .other, accessories: [], source: "")
        try append(node)
    }

    private static func category(_ root: FileNode, isBridge: Bool) throws(SimulatorError) -> AccessoryCategory {
        if isBridge, root.member(Key.category) == nil { return .bridge }
        return try category(try root.required(Key.category))
    }

    /// The numbers of categories, including ones without names. A setup payload has eight bits for them.
    private static let categories: ClosedRange<Int64> = 1...255

    static func category(_ node: FileNode) throws(SimulatorError) -> AccessoryCategory {
        if let number = node.value.integer, categories.contains(number) {
            return AccessoryCategory(rawValue: Int(number))
        }
        guard let category = AccessoryCategory(named: try node.string()) else {
            let names = AccessoryCategory.all.compactMap(\.name).map { $0.filter { $0 != " " } }
            throw node.error("'\(try node.string())' is not a category; use \(names.joined(separator: ", "))")
        }
        return category
    }

    static func setupCode(_ node: FileNode) throws(SimulatorError) -> SetupCode {
        let text = try node.string()
        do {
            return try SetupCode(text)
        } catch {
            throw node.error("\(error)")
        }
    }

    /// Adds the accessory at the root or a bridged accessory.
    private mutating func append(_ node: FileNode) throws(SimulatorError) {
        let serialNode = try node.required(Key.serialNumber)
        let serialNumber = try serialNode.string()
        guard !accessories.contains(where: { $0.key == serialNumber }) else {
            throw serialNode.error(
                "another accessory has the serial number '\(serialNumber)'; give this one a different number"
            )
        }
        func text(_ key: String, default standard: String) throws(SimulatorError) -> String {
            try node.member(key)?.string() ?? standard
        }
        var information = AccessoryInformation(
            name: try node.required(Key.name).string(),
            manufacturer: try text(Key.manufacturer, default: "Hearth"),
            model: try text(Key.model, default: "Simulated Accessory"),
            serialNumber: serialNumber,
            firmwareRevision: try text(Key.firmwareRevision, default: "1.0.0"),
            hardwareRevision: try node.member(Key.hardwareRevision)?.string()
        )
        for (name, node) in try node.member(Key.information)?.members() ?? [] {
            information.additional.append(try HostedCharacteristic(name, node))
        }
        var services: [HostedService] = []
        var keys: Set<String> = []
        for node in try node.member(Key.services)?.elements() ?? [] {
            let service = try HostedService(node)
            guard keys.insert(service.key).inserted else {
                throw node.error("another service has the key '\(service.key)'; give this one a different '\(Key.key)'")
            }
            services.append(service)
            if let node = node.member(Key.habits) {
                habits[ServiceAddress(accessory: serialNumber, service: service.key)] = try Self.habits(node, service)
            }
            if let delay = node.member(Key.delay) {
                let address = ServiceAddress(accessory: serialNumber, service: service.key)
                delays[address] = try Self.duration(delay)
            }
        }
        accessories.append(
            HostedAccessory(
                key: serialNumber,
                information: information,
                services: services,
                identifiers: try PreassignedIdentifiers(node)
            )
        )
    }

    static func habits(_ node: FileNode, _ service: HostedService) throws(SimulatorError) -> [Habit] {
        var habits: [Habit] = []
        for node in try node.elements() {
            let habit: Habit
            do {
                habit = try Habit(try node.string())
            } catch {
                throw node.error(error.reason)
            }
            for type in habit.types where !service.characteristics.contains(where: { $0.type == type }) {
                let name = CharacteristicDefinition.of(type)?.name ?? type.longForm
                throw node.error("'\(habit)' needs the characteristic \(name), which the service doesn't have")
            }
            habits.append(habit)
        }
        return habits
    }

    /// The maximum delay, in seconds.
    private static let maximumDelay = 3600.0

    static func duration(_ node: FileNode) throws(SimulatorError) -> Duration {
        let seconds: Double
        switch node.value {
        case .integer(let value): seconds = Double(value)
        case .double(let value): seconds = value
        default: throw node.error("expected a number of seconds")
        }
        guard (0...maximumDelay).contains(seconds) else {
            throw node.error("a delay must be from 0 to \(Int(maximumDelay)) seconds")
        }
        return .seconds(seconds)
    }
}
