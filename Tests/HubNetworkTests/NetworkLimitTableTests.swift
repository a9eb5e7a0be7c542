import Foundation
import HomeIdentity
import PeerProcess
import Testing

@testable import HubNetwork

/// The documented limits match the enforced ones.
@Suite struct NetworkLimitTableTests {
    @Test func theTableOfLimitsSaysWhatTheCodeSays() throws {
        let page = try PeerPython.packageRoot().appending(path: "Documentation/Limits.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "\n## Network\n"))
        let section = text[start.upperBound...]
        let table = section.prefix(upTo: section.range(of: "\n## ")?.lowerBound ?? section.endIndex)
        let numbers = table.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().compactMap { row in
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return Int(cells[1]).map { [$0] + cells[2].split(separator: " ").compactMap { Int($0) } }
        }
        let limits = NetworkLimits()
        func rate(_ rate: PeerRate) -> [Int] { [Int(rate.burst), Int(rate.perSecond)] }
        #expect(
            numbers == [
                rate(limits.handshakes), [limits.strangers], [limits.allStrangers], [limits.greetingTime],
                [limits.connections], rate(limits.requests), rate(limits.guestRequests), [limits.unreadEvents],
                [limits.unreadBytes], [4_096], [JoinLimits.maximumMessageBytes], [JoinLimits.maximumNameBytes],
                [limits.joinTime], rate(limits.joinsOfAddress), rate(limits.joins), [limits.concurrentJoins],
                [JoinLimits.repetitionTime], [InvitationLink.maximumLength], [InvitationLink.maximumAddresses],
                [RelayDoor.maximumAddressBytes], [100],
                [PeerLimits<PublicKey>.remembered],
            ]
        )
    }

    @Test func theTableOfTheConnectionBetweenHubsSaysWhatTheCodeSays() throws {
        let page = try PeerPython.packageRoot().appending(path: "Documentation/TwoHubs.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "\n## Limits of the Connection\n"))
        let section = text[start.upperBound...]
        var table: [String: Int] = [:]
        for row in section.prefix(upTo: section.range(of: "\n## ")?.lowerBound ?? section.endIndex).split(
            separator: "\n"
        )
        where row.hasPrefix("| `") {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            table[cells[0].trimmingCharacters(in: ["`"])] = Int(cells[1])
        }
        // Those of introductions are checked where they are enforced.
        for name in ["maximumAddresses", "maximumServers"] { #expect(table.removeValue(forKey: name) != nil) }
        #expect(
            table == [
                "contentBytes": HubLinkLimits.contentBytes, "unsentBytes": HubLinkLimits.unsentBytes,
                "unhandledBytes": HubLinkLimits.unhandledBytes,
                "transferBytes": HubLinkLimits.transferBytes, "pieceBytes": HubLinkLimits.pieceBytes,
                "noteBytes": HubLinkLimits.noteBytes,
                "pingTime": Int(HubLinkLimits.pingTime / .seconds(1)),
                "silenceTime": Int(HubLinkLimits.silenceTime / .seconds(1)),
                "connectTime": Int(HubLinkLimits.connectTime / .seconds(1)),
            ]
        )
    }
}
