import HomeKitTesting
import Testing

extension TestApp {
    /// Returns an accessory of the app's home by its name.
    func accessory(_ name: String) async throws -> HMAccessory {
        try #require(try await home().accessories.first { $0.name == name })
    }

    /// Returns a characteristic of an accessory by its type.
    func characteristic(_ type: String, of name: String) async throws -> HMCharacteristic {
        try #require(
            try await accessory(name).services.flatMap(\.characteristics).first { $0.characteristicType == type }
        )
    }
}

/// Returns the code of the error that `body` throws, or `nil` if it succeeds.
func code(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Void
) async -> HMError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? HMError)?.code
    }
}

/// The accessory files of the demo home and of this target.
enum Files {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    static let garageDoor = tests.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Examples/DemoHome/garage-door-opener.json").path
    static let values = tests.appending(path: "Fixtures/values.json").path
}
