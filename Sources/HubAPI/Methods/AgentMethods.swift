package import LocalRPC

/// The methods that an agent serves itself, beside those of its hubs. A hub doesn't have them.
package enum AgentMethods {
    /// Lists the hubs that the device has joined.
    package static let hubs = Method<Empty, AgentHubs>("agent.hubs", for: .people, by: .oneself, from: .here)
    /// Joins a hub with an invitation. After a link, the device waits until somebody has compared the digits.
    package static let join = Method<JoinHub, HubJoining>("agent.join", for: .people, by: .oneself, from: .here)
    /// Leaves a hub: deletes the device's keys and its copy of the homes.
    package static let leave = Method<AgentHubTarget, Empty>("agent.leave", for: .people, by: .oneself, from: .here)
}
