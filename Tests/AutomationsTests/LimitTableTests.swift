import Automations
import Foundation
import PeerProcess
import Testing

/// The documented limits match the enforced ones.
@Suite struct LimitTableTests {
    @Test func pageHasTheLimitsOfRunningAutomations() throws {
        let page = try PeerPython.packageRoot().appending(path: "Documentation/Limits.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let section = try #require(
            text.components(separatedBy: "\n## Automations\n").last?.components(separatedBy: "\n## ").first
        )
        var table: [String: Int] = [:]
        for line in section.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            table[cells[0].trimmingCharacters(in: ["`"])] = Int(cells[1])
        }
        #expect(
            table == [
                "lateness": AutomationLimits.lateness,
                "firingsPerChain": AutomationLimits.firingsPerChain,
                "chainLength": AutomationLimits.chainLength,
                "firingsPerWindow": AutomationLimits.firingsPerWindow,
                "firingWindow": AutomationLimits.firingWindow,
                "countedMisses": AutomationLimits.countedMisses,
            ]
        )
    }
}
