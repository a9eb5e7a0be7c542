package import LocalRPC

extension HubMethods {
    // MARK: Agents

    /// Returns what an agent needs to show its person's homes to apps while the hub is out of reach. Only an agent's own
    /// session can call it.
    package static let homeKeys = Method<Empty, HomeKeys>(
        "agent.homeKeys",
        for: .people,
        by: .oneself,
        from: .away
    )
    /// Sends a message to the agent of another device of the caller's user, if that device is connected. Only an agent's own
    /// session can call it.
    package static let sendToDevice = Method<SendToDevice, Empty>(
        "device.send",
        for: .people,
        by: .oneself,
        from: .near
    )
}
