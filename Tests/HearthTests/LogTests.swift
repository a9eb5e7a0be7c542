import Foundation
import HomeModel
import HomeStore
import PeerProcess
import Testing

/// The events that a hub logs, and the secrets that it never logs.
struct LogTests {
    private static let passphrase = "summer rain on a tin roof"

    /// The usual text representations of a secret's bytes.
    private static func spellings(of secret: [UInt8]) -> [String] {
        [
            secret.map { String(format: "%02x", $0) }.joined(), secret.map { String(format: "%02X", $0) }.joined(),
            secret.map { String(format: "%02x", $0) }.joined(separator: " "), Data(secret).base64EncodedString(),
            secret.map { "\($0)" }.joined(separator: ","), secret.map { "\($0)" }.joined(separator: ", "),
            String(decoding: secret, as: UTF8.self),
        ]
    }

    /// The keys in a stored secret, which is JSON: lists of at least 32 numbers.
    private static func keys(in value: Any) -> [[UInt8]] {
        if let list = value as? [Int], list.count >= 32 { return [list.map { UInt8(truncatingIfNeeded: $0) }] }
        if let list = value as? [Any] { return list.flatMap { keys(in: $0) } }
        if let object = value as? [String: Any] { return object.values.flatMap { keys(in: $0) } }
        if let text = value as? String, let data = Data(base64Encoded: text), data.count >= 32 { return [Array(data)] }
        return []
    }

    @Test func noSecretIsInTheLogWhateverItsLevel() async throws {
        try await Fixture.with { fixture in
            let id = Fixture.newDeviceID()
            let lamp = try await fixture.startLamp(id)
            let hub = try await fixture.startHub(["--log-level", "trace"])
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            let wrong = try await fixture.add(id, "--code", "-", input: "973-61-482")
            #expect(wrong.error.contains("wrongSetupCode"), "\(wrong.error)")
            let added = try await fixture.add(id, "--code", "-", input: Fixture.lampCode)
            #expect(added.status == 0, "\(added.error)")
            #expect(try await fixture.run("set", "Lamp", "On", "true").status == 0)
            let file = fixture.folder.appending(path: "home.age").path
            let backup = try await fixture.run("backup", file, "--passphrase-fd", "0", input: Self.passphrase)
            #expect(backup.status == 0, "\(backup.error)")
            #expect(try await fixture.run("accessory", "remove", "Lamp").status == 0)
            let again = try await fixture.add(id, "--code", "-", input: Fixture.lampCode)
            #expect(again.status == 0, "\(again.error)")
            #expect(await hub.terminate() == 0)
            #expect(await lamp.terminate() == 0)

            let log = hub.transcript
            for message in [
                "An accessory was not paired.", "An accessory was paired.", "An accessory was added.",
                "An accessory is reachable.", "An accessory answered.", "A change was stored.", "A backup was made.",
                "A request was done.", "A pairing was removed.", "The hub is stopping.",
            ] {
                #expect(log.contains(message), "not logged: \(message)")
            }
            #expect(log.contains(#""method":"accessory.add""#) && log.contains(#""code":"wrongSetupCode""#))
            #expect(log.contains("PUT /characteristics") && log.contains("My Home") == false)

            var secrets = [Fixture.lampCode, "973-61-482", Self.passphrase].map { Array($0.utf8) }
            secrets += secrets.prefix(2).map { code in code.filter { $0 != UInt8(ascii: "-") } }
            let store = try await HomeStore.open(at: URL(filePath: fixture.data))
            var count = 0
            for home in try await store.logs() {
                for kind in [SecretKey.Kind.pairing, .controllerIdentity] {
                    for key in try await store.secrets(kind, of: home) {
                        let secret = try #require(try await store.secret(key))
                        let keys = Self.keys(in: try JSONSerialization.jsonObject(with: Data(secret)))
                        #expect(!keys.isEmpty, "no key in a stored \(kind.rawValue)")
                        count += keys.count
                        secrets += keys
                    }
                }
            }
            try await store.close()
            #expect(count >= 2)
            for secret in secrets {
                for spelling in Self.spellings(of: secret) { #expect(!log.contains(spelling)) }
            }
            // Session keys can't be read here, so nothing in the log may be as long as a key and look like one.
            #expect(log.matches(of: /[0-9a-fA-F]{40,}/).isEmpty)
            #expect(log.matches(of: /[0-9A-Za-z+]{43,}/).isEmpty)
            #expect(log.matches(of: /(?:[0-9]{1,3}, ?){15,}/).isEmpty)
        }
    }

    @Test func theLevelIsThatOfTheCommandLineThenTheEnvironmentThenInfo() async throws {
        try await Fixture.with { fixture in
            for (options, variable, expected) in [
                ([], "", ["info"]), ([], "debug", ["info", "debug"]), (["--log-level", "error"], "debug", []),
            ] as [([String], String, [String])] {
                let arguments = ["--data", fixture.data, "--socket", fixture.socket, "--mdns-interface", "127.0.0.1"]
                let hub = try PeerProcess(
                    Programs.hearth,
                    ["hub", "--json"] + arguments + options,
                    environment: ["HEARTH_LOG_LEVEL": variable]
                )
                _ = try await hub.json(Fixture.Line.self, "the hub's start") { $0.event == "ready" }
                #expect(try await fixture.run("home", "list").status == 0)
                #expect(await hub.terminate() == 0)
                let levels = hub.transcript.matches(of: /"level":"(\w+)"/).map { String($0.1) }
                #expect(Set(levels) == Set(expected), "\(options) \(variable)")
            }
        }
    }

    @Test func aLevelThatIsNoneIsRefusedWithThoseThatAre() async throws {
        try await Fixture.with { fixture in
            let named = try await fixture.run("hub", "--data", fixture.data, "--log-level", "loud")
            #expect(named.status == 2)
            let shell = #"HEARTH_LOG_LEVEL=loud exec "$0" hub --data "$1""#
            let process = try PeerProcess(URL(filePath: "/bin/sh"), ["-c", shell, Programs.hearth.path, fixture.data])
            await process.exit()
            #expect(await process.terminate() == 2)
            for text in [named.error, process.transcript] {
                for level in ["loud", "trace", "debug", "info", "notice", "warning", "error", "critical"] {
                    #expect(text.contains(level), "\(text)")
                }
            }
            #expect(!FileManager.default.fileExists(atPath: fixture.data))
        }
    }
}
