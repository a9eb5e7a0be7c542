import Foundation

/// A home of a hub, and the scenes and triggers that the benchmark adds to it over the hub's socket.
struct AutomationHome {
    let client: HubClient
    let id: String

    /// The number of triggers that are added without waiting.
    private static let pipelined = 200

    /// Adds a scene that writes one value to characteristics.
    ///
    /// - Returns: The scene's ID.
    func addScene(_ name: String, writing value: String, to characteristics: [BenchCharacteristic]) throws -> String {
        let scene = try client.call("actionSet.add", #"{"home":"\#(id)","name":"\#(name)"}"#)
        try client.callAll(
            characteristics.map { characteristic in
                let write = #""characteristic":\#(characteristic.json),"value":\#(value)"#
                return ("action.add", #"{"home":"\#(id)","actionSet":"\#(scene)",\#(write)}"#)
            }
        )
        return scene
    }

    /// Adds enabled triggers that run a scene.
    func add(_ triggers: [(name: String, definition: String)], running scene: String) throws {
        var rest = triggers[...]
        while !rest.isEmpty {
            let calls = rest.prefix(Self.pipelined).flatMap { name, definition in
                let trigger = UUID().uuidString
                let content = #""name":"\#(name)","definition":\#(definition),"actionSets":["\#(scene)"]"#
                return [
                    (method: "trigger.add", parameters: #"{"home":"\#(id)","id":"\#(trigger)",\#(content)}"#),
                    (method: "trigger.enable", parameters: #"{"home":"\#(id)","id":"\#(trigger)","isEnabled":true}"#),
                ]
            }
            try client.callAll(calls)
            rest = rest.dropFirst(Self.pipelined)
        }
    }

    /// Writes a value, and waits until the accessory has it.
    func write(_ value: String, toIID iid: Int, of accessory: String) throws {
        struct Outcomes: Decodable {
            struct Outcome: Decodable {
                struct Failure: Decodable {
                    var reason: String?
                }

                var error: Failure?
            }

            var outcomes: [Outcome]
        }
        let write = #"{"characteristic":{"accessory":"\#(accessory)","iid":\#(iid)},"value":\#(value)}"#
        let parameters = #"{"home":"\#(id)","writes":[\#(write)]}"#
        let result = try client.call("characteristic.write", parameters, Outcomes.self)
        guard result.outcomes.count == 1, result.outcomes[0].error == nil else {
            throw BenchFailure("a write failed: \(result.outcomes[0].error?.reason ?? "no reason")")
        }
    }

    /// Runs a scene, and waits for its accessories.
    func run(_ scene: String) throws {
        struct Result: Decodable {
            struct Failure: Decodable {}

            var failures: [Failure]
        }
        let result = try client.call("actionSet.run", #"{"home":"\#(id)","id":"\#(scene)"}"#, Result.self)
        guard result.failures.isEmpty else { throw BenchFailure("\(result.failures.count) actions failed") }
    }
}
