import HomeKitTesting
import Testing

extension TestApp {
    /// An accessory of the app's home by its name, once the app knows it.
    func accessory(_ name: String) async throws -> HMAccessory {
        try #require(try await home().accessories.first { $0.name == name })
    }

    /// A characteristic of an accessory by its type.
    func characteristic(_ type: String, of name: String) async throws -> HMCharacteristic {
        try #require(
            try await accessory(name).services.flatMap(\.characteristics).first { $0.characteristicType == type }
        )
    }
}

/// What a call came to: an error's code, or nil.
func code(_ body: () async throws -> Void) async -> HMError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? HMError)?.code
    }
}

/// An accessory of the demo home, or of this folder's own.
enum Files {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    static let garageDoor = tests.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Examples/DemoHome/garage-door-opener.json").path
    static let values = tests.appending(path: "Fixtures/values.json").path
}
