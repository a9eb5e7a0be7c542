internal import HAP
internal import HAPCatalog
internal import HAPServer

extension Scenario {
    private typealias Key = ScenarioKey

    /// The maximum size of a scenario file, in bytes, and the maximum number of steps.
    static let fileSize = 4_194_304
    static let maximumSteps = 100_000
    /// The app of a scenario that doesn't specify any.
    private static let defaultApp = "app"

    /// Parses a scenario file.
    ///
    /// - Parameters:
    ///   - source: The file's name, for errors.
    ///   - folder: The folder of the accessory files, with a slash at its end.
    ///   - host: A closure that creates the simulator for the accessory files without starting it.
    init(
        parsing bytes: [UInt8],
        source: String,
        folder: String,
        hosting host: ([String]) throws(SimulatorError) -> Simulator = Self.host
    ) throws(SimulatorError) {
        guard bytes.count <= Self.fileSize else {
            throw SimulatorError(.invalidFile, reason: "\(source) is larger than \(Self.fileSize) bytes")
        }
        let root = try FileNode(parsing: FileText(name: source, bytes: bytes))
        _ = try root.members(Key.root)
        let format = try root.required(Key.format)
        guard try format.integer() == Key.currentFormat else {
            throw format.error("this version only supports format \(Key.currentFormat)")
        }
        var apps: [String] = []
        for node in try root.member(Key.apps)?.elements() ?? [] {
            let app = try node.string()
            guard !app.isEmpty, !apps.contains(app) else { throw node.error("each app needs a unique name") }
            apps.append(app)
        }
        if apps.isEmpty { apps = [Self.defaultApp] }
        var files: [String] = []
        let names = try root.required(Key.accessories)
        for node in try names.elements() {
            let file = try node.string()
            files.append(file.hasPrefix("/") ? file : folder + file)
        }
        guard !files.isEmpty else { throw names.error("There is nothing to simulate; name an accessory file") }
        let simulator: Simulator
        do {
            simulator = try host(files)
        } catch {
            throw names.error(error.reason)
        }
        var seed: UInt64 = 0
        if let node = root.member(Key.seed) {
            guard let number = UInt64(exactly: try node.integer()) else { throw node.error("a seed can't be negative") }
            seed = number
        }
        var parser = ScenarioParser(simulator: simulator, apps: apps)
        let home = try root.member(Key.home).map(parser.home)
        parser.scenes = home?.scenes.map(\.name)
        parser.people = home?.people
        let nodes = try root.required(Key.steps)
        let elements = try nodes.elements()
        guard elements.count <= Self.maximumSteps else {
            throw nodes.error("a scenario can have at most \(Self.maximumSteps) steps")
        }
        var steps: [Step] = []
        for (index, node) in elements.enumerated() {
            let step = try parser.step(node, "\(Key.steps)[\(index)]")
            if let previous = steps.last, step.time < previous.time {
                throw try node.required(Key.at).error(
                    "\(step.time.faultText) is before the previous step, which is at \(previous.time.faultText)"
                )
            }
            steps.append(step)
        }
        self.init(
            name: try root.member(Key.name)?.string() ?? source,
            seed: seed,
            files: files,
            apps: apps,
            home: home,
            end: try root.member(Key.until).map(parser.time) ?? .zero,
            steps: steps
        )
        try ScenarioCheck(self, simulator).check()
    }

    private static func host(_ files: [String]) throws(SimulatorError) -> Simulator {
        try Simulator(SimulatorConfiguration(files: files, dataFolder: ""))
    }
}

/// A parser of a scenario's steps.
struct ScenarioParser {
    private typealias Key = ScenarioKey

    /// A simulator with the accessories, which isn't started.
    let simulator: Simulator
    let apps: [String]
    /// The names of the home's scenes and people; `nil` if there is no home.
    var scenes: [String]?
    var people: [String]?

    func step(_ node: FileNode, _ path: String) throws(SimulatorError) -> Scenario.Step {
        let members = try node.members()
        let verbs = Key.verbs.filter { verb in members.contains { $0.name == verb.verb } }
        guard let verb = verbs.first, verbs.count == 1 else {
            throw node.error("a step must have exactly one of \(Key.verbs.map(\.verb).joined(separator: ", "))")
        }
        _ = try node.members([Key.at, verb.verb] + verb.members)
        return Scenario.Step(
            time: try node.member(Key.at).map(time) ?? .zero,
            path: path,
            action: try action(verb.verb, node),
            node: node
        )
    }

    private func action(_ verb: String, _ node: FileNode) throws(SimulatorError) -> Scenario.Action {
        let subject = try node.required(verb)
        switch verb {
        case Key.pair: return try app(node, .pair(accessory: try accessory(subject)))
        case Key.list: return try app(node, .list(accessory: try accessory(subject)))
        case Key.read:
            let target = try target(subject)
            var expected: CharacteristicValue?
            if let node = node.member(Key.value) { expected = try value(node, target) }
            return try app(node, .read(target, expected: expected))
        case Key.write:
            let target = try target(subject)
            return try app(node, .write(target, try value(try node.required(Key.value), target)))
        case Key.subscribe: return try app(node, .subscribe(try target(subject)))
        case Key.expect:
            let target = try target(subject)
            return .expectEvent(
                app: try appName(node),
                target,
                try value(try node.required(Key.value), target),
                within: try node.member(Key.within).map(time) ?? .zero,
                isAbsent: try node.member(Key.absent)?.flag() ?? false
            )
        case Key.set:
            let target = try target(subject)
            let valueNode = try node.required(Key.value)
            let value = try value(valueNode, target)
            do {
                return .set(target, try target.metadata.validate(value, checkingStep: false))
            } catch {
                throw valueNode.error("\(error)")
            }
        case Key.fault: return try fault(subject, try node.required(Key.on))
        case Key.run: return .run(scene: try known(subject, "scene", scenes))
        case Key.arrive, Key.leave:
            return .presence(person: try known(subject, "person", people), isHome: verb == Key.arrive)
        case Key.check:
            let target = try target(subject)
            return .check(target, try value(try node.required(Key.value), target))
        default: return .clear(accessory: try accessory(subject))
        }
    }

    /// The longest scenario with a home: 366 days, which is as far as a hub's clock advances at once.
    private static let longestWithHome = Duration.seconds(366 * 24 * 60 * 60)

    /// Reads a point in time or a duration.
    func time(_ node: FileNode) throws(SimulatorError) -> Duration {
        let text = try node.string()
        // A home's automations take days.
        let longest = people == nil ? Fault.maximumTime : Self.longestWithHome
        guard let time = Duration(faultText: text), time <= longest else {
            let hours = longest.components.seconds / 3600
            throw node.error("'\(text)' is not a time from 0s to \(hours)h; use a form such as 200ms, 3s or 5min")
        }
        return time
    }

    private func app(_ node: FileNode, _ action: Scenario.AppAction) throws(SimulatorError) -> Scenario.Action {
        .app(
            name: try appName(node),
            action,
            outcome: try node.member(Key.outcome).map(outcome) ?? .done,
            within: try node.member(Key.within).map(time)
        )
    }

    private func appName(_ node: FileNode) throws(SimulatorError) -> String {
        guard let node = node.member(Key.app) else {
            if apps.count == 1 { return apps[0] }
            throw node.error("'\(Key.app)' is missing; choose one of: \(apps.joined(separator: ", "))")
        }
        let name = try node.string()
        guard apps.contains(name) else {
            throw node.error("there is no app '\(name)'; choose one of: \(apps.joined(separator: ", "))")
        }
        return name
    }

    private func outcome(_ node: FileNode) throws(SimulatorError) -> Scenario.Outcome {
        if let status = node.value.integer, let status = Int(exactly: status), status < 0 { return .status(status) }
        if let name = node.value.string, let outcome = Scenario.Outcome.named.first(where: { "\($0)" == name }) {
            return outcome
        }
        let names = Scenario.Outcome.named.map { "\($0)" }.joined(separator: ", ")
        throw node.error("an outcome must be a HAP status such as -70402, or one of: \(names)")
    }

    // MARK: Accessories and characteristics

    private func accessory(_ node: FileNode) throws(SimulatorError) -> String {
        do {
            return try simulator.hosted(try node.string()).accessory.key
        } catch {
            throw node.error(error.reason)
        }
    }

    private func target(_ node: FileNode) throws(SimulatorError) -> Scenario.Target {
        try target(try node.string(), node)
    }

    /// Reads a characteristic.
    ///
    /// - Parameter node: The place of an error.
    func target(_ text: String, _ node: FileNode) throws(SimulatorError) -> Scenario.Target {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 || parts.count == 3 else {
            throw node.error("'\(text)' is not a characteristic; use a form such as 'Garage Door/TargetDoorState'")
        }
        do throws(SimulatorError) {
            let address = try simulator.find(
                parts[0],
                parts[parts.count - 1],
                service: parts.count == 3 ? parts[1] : nil
            )
            let services = try simulator.hosted(address.accessory).accessory.services
            let service = services.first { $0.key == address.service }
            guard let characteristic = service?.characteristics.first(where: { $0.type == address.type }) else {
                throw SimulatorError(.notFound, reason: "there is no characteristic '\(text)'")
            }
            return Scenario.Target(text: text, address: address, metadata: characteristic.metadata)
        } catch {
            throw node.error(error.reason)
        }
    }

    private func fault(_ node: FileNode, _ location: FileNode) throws(SimulatorError) -> Scenario.Action {
        let fault: Fault
        do {
            fault = try Fault(try node.string())
        } catch {
            throw node.error(error.reason)
        }
        guard try location.string().contains("/") else {
            return .fault(fault, accessory: try accessory(location), characteristic: nil, service: nil)
        }
        let address = try target(location).address
        return .fault(
            fault,
            accessory: address.accessory,
            characteristic: address.type.longForm,
            service: address.service
        )
    }

    /// Reads a value, by name if the characteristic has named values. It isn't validated, because an app may write
    /// invalid values.
    func value(_ node: FileNode, _ target: Scenario.Target) throws(SimulatorError) -> CharacteristicValue {
        switch node.value {
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .double(let value): return .double(value)
        case .string(let text):
            guard target.metadata.format.isNumeric else { return .string(text) }
            guard let value = CharacteristicDefinition.of(target.address.type)?.value(named: text) else {
                throw node.error("'\(text)' is not a value of \(target.text)")
            }
            return value
        case .null, .array, .object: throw node.error("expected a value")
        }
    }
}
