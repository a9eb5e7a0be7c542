internal import HAPCatalog

extension Scenario {
    /// The home of a scenario.
    package struct Home: Sendable {
        /// The hub's time at the beginning, such as `2026-06-01 18:00`; `nil` for the beginning of a year.
        package let start: String?
        /// The hub's time zone; `nil` for UTC.
        package let timeZone: String?
        /// Where the home is, in degrees; `nil` if it isn't set.
        package let place: (latitude: Double, longitude: Double)?
        /// The names of the people. The first owns the home.
        package let people: [String]
        let scenes: [Scene]
        let automations: [Automation]
        /// The JSON, for errors found later.
        let node: FileNode

        struct Scene: Sendable {
            let name: String
            let values: [(target: Target, value: CharacteristicValue)]
            let node: FileNode
        }

        struct Automation: Sendable {
            let name: String
            let when: String
            let scenes: [String]
            let node: FileNode
        }
    }
}

extension ScenarioParser {
    private typealias Key = ScenarioKey
    /// The name of the only person of a home that names none.
    private static let owner = "Owner"

    /// Reads a scenario's home.
    func home(_ node: FileNode) throws(SimulatorError) -> Scenario.Home {
        _ = try node.members(Key.homeMembers)
        var people: [String] = []
        for person in try node.member(Key.people)?.elements() ?? [] {
            let name = try person.string()
            guard !name.isEmpty, !people.contains(name) else { throw person.error("each person needs a unique name") }
            people.append(name)
        }
        var scenes: [Scenario.Home.Scene] = []
        for (name, node) in try node.member(Key.scenes)?.members() ?? [] {
            scenes.append(try scene(name, node))
        }
        var automations: [Scenario.Home.Automation] = []
        for node in try node.member(Key.automations)?.elements() ?? [] {
            automations.append(try automation(node, scenes.map(\.name)))
        }
        return Scenario.Home(
            start: try node.member(Key.start)?.string(),
            timeZone: try node.member(Key.timeZone)?.string(),
            place: try node.member(Key.place).map(place),
            people: people.isEmpty ? [Self.owner] : people,
            scenes: scenes,
            automations: automations,
            node: node
        )
    }

    private func place(_ node: FileNode) throws(SimulatorError) -> (latitude: Double, longitude: Double) {
        _ = try node.members([Key.latitude, Key.longitude])
        func degrees(_ key: String) throws(SimulatorError) -> Double {
            let node = try node.required(key)
            guard let degrees = try node.characteristicValue().number else { throw node.error("expected a number") }
            return degrees
        }
        return (try degrees(Key.latitude), try degrees(Key.longitude))
    }

    private func scene(_ name: String, _ node: FileNode) throws(SimulatorError) -> Scenario.Home.Scene {
        var values: [(target: Scenario.Target, value: CharacteristicValue)] = []
        for (text, valueNode) in try node.members() {
            let target = try target(text, valueNode)
            values.append((target, try value(valueNode, target)))
        }
        guard !values.isEmpty else { throw node.error("a scene needs a value to write") }
        return Scenario.Home.Scene(name: name, values: values, node: node)
    }

    private func automation(
        _ node: FileNode,
        _ scenes: [String]
    ) throws(SimulatorError) -> Scenario.Home.Automation {
        _ = try node.members([Key.name, Key.when, Key.scenes])
        var names: [String] = []
        let list = try node.required(Key.scenes)
        for node in try list.elements() { names.append(try known(node, "scene", scenes)) }
        guard !names.isEmpty else { throw list.error("an automation needs a scene to run") }
        return Scenario.Home.Automation(
            name: try node.required(Key.name).string(),
            when: try node.required(Key.when).string(),
            scenes: names,
            node: node
        )
    }

    /// Reads the name of something that the home has.
    func known(_ node: FileNode, _ kind: String, _ names: [String]?) throws(SimulatorError) -> String {
        guard let names else {
            throw node.error("this needs a home; describe it with '\(Key.home)' at the top of the file")
        }
        let name = try node.string()
        guard names.contains(name) else {
            let choices = names.isEmpty ? "the home has none" : "choose one of: \(names.joined(separator: ", "))"
            throw node.error("there is no \(kind) '\(name)'; \(choices)")
        }
        return name
    }
}
