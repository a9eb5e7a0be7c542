import Foundation
import NetworkLab
import PeerProcess
import Testing

/// An accessory's way from its own network into the home, with whole programs on separate hosts.
struct OnboardingTests {
    private static let network = "My Wi-Fi"
    private static let passphrase = "correct horse battery"

    /// The lamp's own network is a cable to the hub. Its cable to the home's network is unplugged until it joins, as
    /// its radio would be elsewhere.
    @Test func aLampComesFromItsOwnNetworkIntoTheHomeAndIsSwitched() async throws {
        try await Fixture.with { fixture in
            try await NetworkLab.with(
                networks: ["home", "setup"],
                HostPlan(
                    "hub",
                    [.init("eth0", to: "home", ["10.77.0.1/24"]), .init("wlan0", to: "setup", ["10.78.0.1/24"])]
                ),
                HostPlan(
                    "lamp",
                    [.init("wlan0", to: "home", ["10.77.0.2/24"]), .init("ap0", to: "setup", ["10.78.0.2/24"])]
                )
            ) { lab in
                try await lab.setCable(of: "lamp", "wlan0", isIn: false)
                let description = FaultyHome.Accessory("Lamp")
                let file = fixture.folder.appending(path: "lamp.json")
                try Data(description.description.utf8).write(to: file)
                let lamp = try lab["lamp"].start(
                    "/bin/bash",
                    [
                        "-c", "exec \"$0\" \"$@\" <<<'\(Self.passphrase)'", Programs.hearth.path, "simulator",
                        file.path, "--data", fixture.folder.appending(path: "lamp").path, "--json",
                        "--mdns-interface", "wlan0", "--setup-interface", "ap0", "--network", Self.network,
                        "--passphrase", "-",
                    ]
                )
                _ = try await lamp.json(Fixture.Line.self, "the lamp") { $0.event == "unconfigured" }
                let log = fixture.folder.appending(path: "hub.log").path
                let hub = try lab["hub"].start(
                    "/bin/bash",
                    [
                        "-c", "exec \"$0\" \"$@\" 2>\(log)", Programs.hearth.path, "hub", "--data", fixture.data,
                        "--socket", fixture.socket, "--json", "--mdns-interface", "eth0", "--setup-interface", "wlan0",
                        "--log-level", "trace",
                    ]
                )
                _ = try await hub.json(Fixture.Line.self, "the hub") { $0.event == "ready" }

                @Sendable func hearth(_ words: String, input: String = "") async throws -> String {
                    let environment = "HEARTH_SOCKET=\(fixture.socket)"
                    return try await lab["hub"].run(
                        "echo '\(input)' | \(environment) \(Programs.hearth.path) \(words) 2>&1 || true"
                    )
                }

                _ = try await hearth("home add 'My Home'")
                let early = try await hearth(
                    "accessory add --id \(description.deviceID) --code \(Fixture.lampCode)"
                )
                #expect(early.contains("notDiscovered"))
                let listed = try await Wait.value(where: { $0.contains("Lamp") }) {
                    try await hearth("accessory configure --for 1")
                }
                #expect(listed.contains(description.deviceID))

                // A wrong passphrase brings it back.
                let configure = "accessory configure Lamp --for 60 --network '\(Self.network)' --passphrase -"
                #expect(try await hearth(configure, input: "wrong horse").contains("networkNotJoined"))
                _ = try await lamp.json(Fixture.Line.self, "the return") { $0.event == "joinFailed" }

                async let configured = hearth(configure, input: Self.passphrase)
                _ = try await lamp.json(Fixture.Line.self, "the departure") { $0.event == "joining" }
                try await lab.setCable(of: "lamp", "wlan0", isIn: true)
                #expect(try await configured.contains("Lamp is on the network."))
                _ = try await lamp.json(Fixture.Line.self, "the arrival") { $0.event == "ready" }

                let added = try await Wait.value(where: { !$0.contains("notDiscovered") }) {
                    try await hearth("accessory add --id \(description.deviceID) --code \(Fixture.lampCode)")
                }
                #expect(added.contains("Added Lamp"), "\(added)")
                let set = try await hearth("set Lamp On true")
                #expect(!set.contains("error"), "\(set)")
                #expect(try await hearth("get Lamp On").hasPrefix("on"))
                #expect(await hub.terminate() == 0)
                _ = await lamp.terminate()

                // The passphrase is neither in the log nor in the data.
                let leaks = try await lab["hub"].run("grep -r -l -a 'horse' \(log) \(fixture.data) || true")
                #expect(leaks.isEmpty, "\(leaks)")
            }
        }
    }
}
