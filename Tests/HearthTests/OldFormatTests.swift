import Foundation
import PeerProcess
import Testing

/// Stores that previous versions of the hub wrote, kept in `Tests/HomeStoreTests/Fixtures`, with this version's hub.
struct OldFormatTests {
    /// Runs `body` with a hub that starts on a store of an old format.
    private func withHub(ofFormat format: Int, _ body: (Fixture) async throws -> Void) async throws {
        try await Fixture.with { fixture in
            let store = try PeerPython.packageRoot()
                .appending(path: "Tests/HomeStoreTests/Fixtures/format\(format).sqlite")
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
            try FileManager.default.createDirectory(
                atPath: fixture.data,
                withIntermediateDirectories: false,
                attributes: attributes
            )
            let database = fixture.data + "/hearth.sqlite"
            try Data(contentsOf: store).write(to: URL(filePath: database))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: database)
            // Twice, so that the second start reads the first one's result.
            for _ in 0..<2 {
                let hub = try await fixture.startHub()
                try await body(fixture)
                #expect(await hub.terminate() == 0)
            }
        }
    }

    private func lines(_ fixture: Fixture, _ arguments: String...) async throws -> [String] {
        let outcome = try await fixture.run(arguments)
        #expect(outcome.status == 0, "\(arguments): \(outcome.error)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: [2, 3])
    func aHomeOfAFormerFormatOrThisOneIsServed(format: Int) async throws {
        try await withHub(ofFormat: format) { fixture in
            #expect(try await lines(fixture, "home", "list") == ["My Home  (primary)"])
            let rooms = ["Kitchen", "Attic"] + (format < 3 ? [] : ["Study"])
            #expect(try await lines(fixture, "room", "list") == rooms)
            #expect(try await lines(fixture, "zone", "list") == ["Upstairs: Attic"])
            #expect(try await lines(fixture, "user", "list").contains { $0.contains("Ann") && $0.contains("guest") })
            #expect(try await lines(fixture, "group", "list").contains { $0.hasPrefix("Lights") })
            #expect(try await lines(fixture, "scene", "list").contains { $0.hasPrefix("Movie Night") })
            let accessories = try await lines(fixture, "accessory", "list")
            #expect(accessories.count == 1)
            #expect(accessories.first?.hasPrefix("Lamp") == true)
            #expect(accessories.first?.contains("Kitchen") == true)
            let lamp = try await fixture.run("get", "Lamp", "On")
            #expect(lamp.error.contains("notReachable"), "\(lamp.error)")
        }
    }
}
