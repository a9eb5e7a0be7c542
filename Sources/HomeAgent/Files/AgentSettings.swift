import Foundation

/// What a device stores for its person, beside the hubs.
struct AgentSettings: Sendable, Codable {
    /// A decision about an app.
    struct App: Sendable, Codable {
        var id: String
        var purpose: String
        var isAllowed: Bool
    }

    /// The decisions about apps, in their order.
    var apps: [App] = []
    /// The choices for the list of homes.
    var choices = AccountChoices(lineage: UUID(), revision: 0)
    /// What the person hasn't been told yet.
    var notices: [String] = []
}
