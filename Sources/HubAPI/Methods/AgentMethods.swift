package import LocalRPC

/// The methods that an agent serves itself, beside those of its hubs. A hub doesn't have them.
package enum AgentMethods {
    /// Lists the hubs that the device has joined.
    package static let hubs = Method<Empty, AgentHubs>("agent.hubs", for: .people, by: .oneself, from: .here)
    /// Joins a hub with an invitation. After a link, the device waits until somebody has compared the digits.
    package static let join = Method<JoinHub, HubJoining>("agent.join", for: .people, by: .oneself, from: .here)
    /// Leaves a hub: deletes the device's keys and its copy of the homes.
    package static let leave = Method<AgentHubTarget, Empty>("agent.leave", for: .people, by: .oneself, from: .here)
    /// Fetches the backup that a hub keeps at its relay, and what opens it.
    package static let openVault = Method<OpenVault, OpenedVault>(
        "agent.openVault",
        for: .people,
        by: .oneself,
        from: .here
    )
    /// Reads a chunk of the backup that was fetched last, which is still encrypted.
    package static let readVault = Method<ReadBackup, BackupChunk>(
        "agent.readVault",
        for: .people,
        by: .oneself,
        from: .here
    )
}
