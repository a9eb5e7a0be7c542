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
        let root = try FileNode(parsing: FileText(name: source, bytes: bytes))
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
            throw SimulatorError(.invalidFile, reason: "\(source): \(error.reason)")
        }
    }

    private static func category(_ root: FileNode, isBridge: Bool) throws(SimulatorError) -> AccessoryCategory {
        if isBridge, root.member(Key.category) == nil { return .bridge }
        let node = try root.required(Key.category)
        guard let category = AccessoryCategory(named: try node.string()) else {
            let names = AccessoryCategory.all.compactMap(\.name).map { $0.filter { $0 != " " } }
            throw node.error("'\(try node.string())' is no category; there are \(names.joined(separator: ", "))")
        }
        return category
    }

    private static func setupCode(_ node: FileNode) throws(SimulatorError) -> SetupCode {
        let text = try node.string()
        do {
            return try SetupCode(text)
        } catch {
            throw node.error("\(error)")
        }
    }

    /// Reads an accessory at the root or behind the bridge.
    private mutating func append(_ node: FileNode) throws(SimulatorError) {
        let serialNumber = try node.required(Key.serialNumber).string()
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
            if let delay = node.member(Key.delay) {
                let address = ServiceAddress(accessory: serialNumber, service: service.key)
                delays[address] = try Self.duration(delay)
            }
        }
        accessories.append(HostedAccessory(key: serialNumber, information: information, services: services))
    }

    /// The longest delay, in seconds.
    private static let longestDelay = 3600.0

    private static func duration(_ node: FileNode) throws(SimulatorError) -> Duration {
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
