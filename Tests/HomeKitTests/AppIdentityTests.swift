import Foundation
@testable import HomeKit
import Testing

@Suite struct AppIdentityTests {
    /// Calls `body` with an executable's path in a new folder.
    private func withExecutable(information: [String: String]?, _ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        if let information {
            let data = try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
            try data.write(to: folder.appendingPathComponent("Info.plist"))
        }
        try body(folder.appendingPathComponent("Lights"))
    }

    private let information = [
        "CFBundleIdentifier": "com.example.lights", "NSHomeKitUsageDescription": "To switch your lamps.",
    ]

    @Test func variablesComeFirst() throws {
        try withExecutable(information: information) { executable in
            let app = AppIdentity(
                variables: ["HEARTH_APP": "com.example.other", "HEARTH_PURPOSE": "Tests"],
                executable: executable
            )
            #expect(app.identifier == "com.example.other")
            #expect(app.purpose == "Tests")
        }
    }

    @Test func theInformationBesideTheExecutableComesNext() throws {
        try withExecutable(information: information) { executable in
            let app = AppIdentity(variables: ["HEARTH_APP": ""], executable: executable)
            #expect(app.identifier == "com.example.lights")
            #expect(app.purpose == "To switch your lamps.")
        }
    }

    @Test func withoutEitherTheExecutableNamesTheApp() throws {
        try withExecutable(information: nil) { executable in
            let app = AppIdentity(variables: [:], executable: executable)
            #expect(app.identifier == "Lights")
            #expect(app.purpose.isEmpty)
        }
    }
}
