import Foundation
import Glibc
import PeerProcess

/// A home full of simulated accessories: a simulator's bridges, added to a hub one after another.
struct SimulatedHome {
    private struct Ready: Decodable, Sendable {
        var event: String
        var id: String?
        var setupCode: String?
    }

    /// A bridge to add.
    struct Bridge: Sendable {
        var id: String
        var code: String
    }

    /// The maximum number of accessories of a bridge.
    static let perBridge = 149
    /// The number of services of each accessory in a home with many characteristics. Each service has these
    /// characteristics.
    private static let services = 5
    private static let characteristics =
        #"{ "On": true, "Brightness": \#(brightness), "Hue": 20, "Saturation": 30, "ColorTemperature": 200 }"#
    /// A value that no other characteristic has initially.
    static let brightness = 50

    private(set) var simulator: PeerProcess
    let bridges: [Bridge]
    /// The path of the simulator's control socket.
    let control: String
    private let hearth: URL
    private let arguments: [String]

    /// Starts a simulator with lamps that have one service of two characteristics.
    init(lamps count: Int, _ hearth: URL, folder: URL) async throws {
        let bridges = (count + Self.perBridge - 1) / Self.perBridge
        try await self.init(["--lights", String(count)], bridges: bridges, hearth, folder)
    }

    /// Starts a simulator with accessories of five services with five characteristics each.
    init(richAccessories count: Int, _ hearth: URL, folder: URL) async throws {
        var files: [String] = []
        for first in stride(from: 0, to: count, by: Self.perBridge) {
            let accessories = (first..<min(first + Self.perBridge, count)).map(Self.accessory)
            let number = files.count + 1
            let file = folder.appending(path: "bridge-\(number).json")
            let text = """
                { "format": 1, "name": "Bridge \(number)", "serialNumber": "BRIDGE-\(number)",
                  "accessories": [\(accessories.joined(separator: ",\n"))] }
                """
            try Data(text.utf8).write(to: file)
            files.append(file.path)
        }
        try await self.init(files, bridges: files.count, hearth, folder)
    }

    /// Starts a simulator with accessories that each have their own server, and four services of five characteristics.
    init(servers count: Int, _ hearth: URL, folder: URL) async throws {
        let lamps = (0..<count).map { index in
            #"{ "format": 1, "category": "Lightbulb", \#(Self.members(index, services: Self.services - 1)) }"#
        }
        try await self.init(descriptions: lamps, hearth, folder: folder)
    }

    /// Starts a simulator with accessory files of the given contents: accessories with their own servers, or bridges.
    init(descriptions: [String], _ hearth: URL, folder: URL) async throws {
        var files: [String] = []
        for description in descriptions {
            let file = folder.appending(path: "accessory-\(files.count + 1).json")
            try Data(description.utf8).write(to: file)
            files.append(file.path)
        }
        try await self.init(files, bridges: files.count, hearth, folder)
    }

    private init(_ what: [String], bridges count: Int, _ hearth: URL, _ folder: URL) async throws {
        let data = folder.appending(path: "simulator")
        control = data.appending(path: ".control/socket").path
        let network = ["--data", data.path, "--bind", "127.0.0.1", "--mdns-interface", "127.0.0.1", "--json"]
        arguments = ["simulator"] + what + network
        self.hearth = hearth
        simulator = try PeerProcess(hearth, arguments)
        var bridges: [Bridge] = []
        while bridges.count < count {
            let ready = try await simulator.json(Ready.self, "bridge \(bridges.count + 1)", within: .seconds(60)) {
                $0.event == "ready"
            }
            bridges.append(Bridge(id: ready.id ?? "", code: ready.setupCode ?? ""))
        }
        self.bridges = bridges
    }

    /// Adds all bridges to a new home of a hub.
    ///
    /// - Returns: The home's ID.
    func add(to client: HubClient, named name: String) throws -> String {
        let home = try client.call("home.add", #"{"name":"\#(name)"}"#)
        for bridge in bridges { try add(bridge, to: home, of: client) }
        return home
    }

    /// Adds a bridge to a home of a hub.
    func add(_ bridge: Bridge, to home: String, of client: HubClient) throws {
        let parameters = #"{"home":"\#(home)","deviceID":"\#(bridge.id)","code":"\#(bridge.code)"}"#
        try client.call("accessory.add", parameters)
    }

    /// Kills the simulator, without goodbyes.
    func kill() async {
        simulator.kill(SIGKILL)
        await simulator.exit()
    }

    /// Starts the simulator again, on other ports, without waiting for it.
    mutating func restart() throws {
        simulator = try PeerProcess(hearth, arguments)
    }

    func stop() async {
        await simulator.terminate()
    }

    private static func accessory(_ index: Int) -> String {
        "{ \(members(index, services: services)) }"
    }

    private static func members(_ index: Int, services count: Int) -> String {
        let services = (1...count).map { number in
            #"{ "type": "Lightbulb", "key": "light-\#(number)", "characteristics": \#(characteristics) }"#
        }
        return """
            "name": "Lamp \(index + 1)", "serialNumber": "LAMP-\(index + 1)", "services": [\(services.joined(separator: ", "))]
            """
    }
}
