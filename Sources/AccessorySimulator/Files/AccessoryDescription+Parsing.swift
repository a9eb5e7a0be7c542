internal import HAP
internal import HAPCatalog
internal import HAPServer

extension AccessoryDescription {
    private typealias Key = AccessoryFileKey

    /// Reads the text of an accessory file.
    ///
    /// - Parameter source: The file's name, for errors.
    /// - Throws: ``SimulatorError`` with the code `invalidFile`, whose reason names line and field.
    public init(parsing bytes: [UInt8], source: String) throws(SimulatorError) {
        guard bytes.count <= Self.fileSize else {
            throw SimulatorError(.invalidFile, reason: "\(source) is larger than \(Self.fileSize) bytes")
        }
        try self.init(try FileNode(parsing: FileText(name: source, bytes: bytes)), source: source)
    }

    /// Reads an accessory file's content, which may be a part of a request.
    init(_ root: FileNode, source: String) throws(SimulatorError) {
        _ = try root.members(Key.root + Key.accessory)
        let format = try root.required(Key.format)
        guard try format.integer() == Key.currentFormat else {
            throw format.error("this version reads format \(Key.currentFormat) only")
        }
        let bridged = try root.member(Key.accessories)?.elements()
        self.init(
            category: try Self.category(root, isBridge: bridged != nil),
            setupCode: try root.member(Key.setupCode).map(Self.setupCode),
            setupID: try root.member(Key.setupID)?.parsed("setup id: four characters from 0-9 and A-Z") { SetupID($0) },
            deviceID: try root.member(Key.deviceID)?.parsed("device id such as 11:22:33:44:55:66") { DeviceID($0) },
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

    /// Reads one accessory that is to stand behind a bridge. Its `accessories` are alone, and everything that belongs to a
    /// server has no meaning.
    init(bridged node: FileNode) throws(SimulatorError) {
        _ = try node.members(Key.accessory)
        self.init(category: .other, accessories: [], source: "")
        try append(node)
    }

    private static func category(_ root: FileNode, isBridge: Bool) throws(SimulatorError) -> AccessoryCategory {
        if isBridge, root.member(Key.category) == nil { return .bridge }
        return try category(try root.required(Key.category))
    }

    /// The numbers of categories, which are more than have names: a set-up code's payload has eight bits for them.
    private static let categories: ClosedRange<Int64> = 1...255

    static func category(_ node: FileNode) throws(SimulatorError) -> AccessoryCategory {
        if let number = node.value.integer, categories.contains(number) {
            return AccessoryCategory(rawValue: Int(number))
        }
        guard let category = AccessoryCategory(named: try node.string()) else {
            let names = AccessoryCategory.all.compactMap(\.name).map { $0.filter { $0 != " " } }
            throw node.error("'\(try node.string())' is no category; there are \(names.joined(separator: ", "))")
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

    /// Reads an accessory at the root or behind the bridge.
    private mutating func append(_ node: FileNode) throws(SimulatorError) {
        let serialNode = try node.required(Key.serialNumber)
        let serialNumber = try serialNode.string()
        guard !accessories.contains(where: { $0.key == serialNumber }) else {
            throw serialNode.error("another accessory has the serial number '\(serialNumber)'; give this one its own")
        }
        func text(_ key: String, or standard: String) throws(SimulatorError) -> String {
            try node.member(key)?.string() ?? standard
        }
        var information = AccessoryInformation(
            name: try node.required(Key.name).string(),
            manufacturer: try text(Key.manufacturer, or: "Hearth"),
            model: try text(Key.model, or: "Simulated Accessory"),
            serialNumber: serialNumber,
            firmwareRevision: try text(Key.firmwareRevision, or: "1.0.0"),
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
                throw node.error("another service has the key '\(service.key)'; give this one its own '\(Key.key)'")
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
                throw node.error("'\(habit)' needs the characteristic \(name), which the service lacks")
            }
            habits.append(habit)
        }
        return habits
    }

    /// The longest delay, in seconds.
    private static let longestDelay = 3600.0

    static func duration(_ node: FileNode) throws(SimulatorError) -> Duration {
        let seconds: Double
        switch node.value {
        case .integer(let value): seconds = Double(value)
        case .double(let value): seconds = value
        default: throw node.error("a number of seconds was expected")
        }
        guard (0...longestDelay).contains(seconds) else {
            throw node.error("a delay is 0 to \(Int(longestDelay)) seconds")
        }
        return .seconds(seconds)
    }
}
