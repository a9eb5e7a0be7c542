import Foundation

/// An app's identifier and the reason for its access to the home.
struct AppIdentity: Hashable, Sendable {
    /// The environment variable with the app's identifier.
    static let identifierVariable = "HEARTH_APP"
    /// The environment variable with the purpose.
    static let purposeVariable = "HEARTH_PURPOSE"
    /// The Info.plist key of the app's identifier.
    static let identifierKey = "CFBundleIdentifier"
    /// The Info.plist key of the purpose.
    static let purposeKey = "NSHomeKitUsageDescription"

    /// The app's identifier, for example `com.example.lights`.
    var identifier: String
    /// The purpose, as text for the user who allows the app; empty if the app doesn't state one.
    var purpose: String

    /// Creates an identity from the environment variables, or from the `Info.plist` next to the executable.
    ///
    /// If neither has an identifier, the executable's name is used.
    init(variables: [String: String], executable: URL?) {
        let information = executable.map(Self.information(beside:)) ?? [:]
        func text(_ variable: String, _ key: String) -> String? {
            [variables[variable], information[key] as? String].compactMap(\.self).first { !$0.isEmpty }
        }
        identifier = text(Self.identifierVariable, Self.identifierKey) ?? executable?.lastPathComponent ?? "app"
        purpose = text(Self.purposeVariable, Self.purposeKey) ?? ""
    }

    private static func information(beside executable: URL) -> [String: Any] {
        let file = executable.deletingLastPathComponent().appendingPathComponent("Info.plist")
        guard let data = try? Data(contentsOf: file) else { return [:] }
        return (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [String: Any] ?? [:]
    }
}
