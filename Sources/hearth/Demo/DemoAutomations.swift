import ArgumentParser
import Foundation
import HomeModel
import HomeText
import HubAPI

/// The place, the scenes and the automations of the demo home, which it adds as the commands do.
struct DemoAutomations: Decodable, Sendable {
    /// An automation in words.
    struct Automation: Decodable, Sendable {
        var name: String
        var when: String
        var scenes: [String]
    }

    var place: Place
    /// The values of each scene, by its name: accessory or service, characteristic, value. The built-in scenes exist
    /// already.
    var scenes: [String: [[String]]]
    var automations: [Automation]

    /// Adds everything to the hub's only home, and reports the user as being at home.
    ///
    /// - Returns: The sentence about each automation.
    func add(to socket: String) async throws -> [String] {
        let client = try await HomeClient(try ClientOptions.parse(["--socket", socket]))
        defer { client.close() }
        let home = try client.home()
        let id = home.home.id
        _ = try await client.call(HubMethods.setHomePlace, InHome(id, SetHomePlace(place)))
        var actionSets = Dictionary(
            home.home.actionSets.map { ($0.name, $0.id) },
            uniquingKeysWith: { first, _ in first }
        )
        for (name, values) in scenes.sorted(by: { $0.key < $1.key }) {
            let scene: UUID
            if let existing = actionSets[name] {
                scene = existing
            } else {
                scene = try await client.call(HubMethods.addActionSet, InHome(id, AddActionSet(name: name))).id
                actionSets[name] = scene
            }
            for value in values {
                let action = try Self.action(value, in: home, for: scene)
                _ = try await client.call(HubMethods.addAction, InHome(id, action))
            }
        }
        _ = try await client.call(HubMethods.setPresence, SetPresence(home: id, isHome: true))
        var sentences: [String] = []
        let time = try await HubTime(of: client)
        for automation in automations {
            let definition = try home.definition(automation.when, at: time)
            let scenes = try automation.scenes.map { (name) throws(CommandFailure) in
                guard let scene = actionSets[name] else {
                    throw CommandFailure("invalidFile", "“\(automation.name)” has an unknown scene “\(name)”.")
                }
                return scene
            }
            _ = try await client.addTrigger(
                automation.name,
                definition,
                actionSets: scenes,
                isEnabled: true,
                in: id
            )
            let names = automation.scenes.map { "“\($0)”" }.joined(separator: ", ")
            sentences.append("\(automation.name): \(home.sentences(at: time).when(definition)), \(names)")
        }
        return sentences
    }

    private static func action(
        _ words: [String],
        in home: NamedHome,
        for scene: UUID
    ) throws(CommandFailure) -> AddAction {
        guard words.count == 3 else {
            throw CommandFailure(
                "invalidFile",
                "A scene's value has an accessory, a characteristic and a value: \(words)"
            )
        }
        let (shape, identity) = try home.characteristic(words[1], of: words[0])
        let value = try ValueText(shape).commandValue(of: words[2], named: shape.displayName)
        return AddAction(identity, value: value, actionSet: scene)
    }
}
