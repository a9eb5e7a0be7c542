/// An agent's introduction to its hub.
package struct AgentIntroduction: Hashable, Sendable, Codable {
    /// The version of Hearth.
    package var version: String
    /// The operating system, for people who look at their devices.
    package var platform: String

    /// Creates an introduction.
    package init(version: String, platform: String) {
        self.version = version
        self.platform = platform
    }
}
