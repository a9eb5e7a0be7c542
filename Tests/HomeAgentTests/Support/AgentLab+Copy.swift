import HubAPI

@testable import HomeAgent

extension AgentLab {
    /// Waits until the agent's copy of the first hub shows an app what the hub shows it.
    func copyHas(_ expected: [String: [String]]) async throws {
        for _ in 0..<6_000 {
            agent.hubs.first?.flush()
            if try agent.hubs.first?.shown(to: "com.example.lights")?.canonical == expected { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        let feed = agent.hubs.first?.feed?.report
        let reason = feed?.trouble ?? feed?.problem.map { "\($0)" } ?? "no reason is told"
        throw HubError(.timedOut, "The copy isn't the hub's state: \(reason).")
    }
}
