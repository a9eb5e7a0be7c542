import Foundation

/// What a device stores for its person, beside the hubs.
struct AgentSettings: Sendable {
    /// A decision about an app.
    struct App: Sendable, Codable {
        var id: String
        var purpose: String
        var isAllowed: Bool
    }

    /// The decisions about apps, in their order.
    var apps: [App] = []
    /// The sockets of apps.
    var sockets: [AppSockets.Stored] = []
    /// The choices for the list of homes.
    var choices = AccountChoices(lineage: UUID(), revision: 0)
    /// What the person hasn't been told yet.
    var notices: [String] = []
    /// The introductions of hubs to the person's other devices, in their order.
    var introductions: [Introductions.Done] = []

    /// Adds something that the person is to be told. The oldest is dropped if there is too much.
    mutating func addNotice(_ notice: String) {
        notices = Array((notices + [notice]).suffix(AgentLimits.notices))
    }
}

extension AgentSettings: Codable {
    private enum CodingKeys: String, CodingKey {
        case apps, sockets, choices, notices, introductions
    }

    /// Reads settings. Earlier versions had fewer.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            apps: try container.decode([App].self, forKey: .apps),
            sockets: try container.decodeIfPresent([AppSockets.Stored].self, forKey: .sockets) ?? [],
            choices: try container.decode(AccountChoices.self, forKey: .choices),
            notices: try container.decode([String].self, forKey: .notices),
            introductions: try container.decodeIfPresent([Introductions.Done].self, forKey: .introductions) ?? []
        )
    }
}
