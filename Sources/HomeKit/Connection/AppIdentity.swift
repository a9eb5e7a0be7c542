import Foundation

/// What an app is called and why it wants to use the home.
struct AppIdentity: Hashable, Sendable {
    /// The variable that names the app.
    static let identifierVariable = "HEARTH_APP"
    /// The variable that tells the purpose.
    static let purposeVariable = "HEARTH_PURPOSE"
    /// The Info.plist key of the app's identifier.
    static let identifierKey = "CFBundleIdentifier"
    /// The Info.plist key of the purpose.
    static let purposeKey = "NSHomeKitUsageDescription"

    /// The app's identifier, for example `com.example.lights`.
    var identifier: String
    /// The purpose, in words for the person who allows it; empty when the app tells none.
    var purpose: String

    /// Finds out: from the variables, else from the `Info.plist` beside the executable; without either the app has the
    /// executable's name.
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
