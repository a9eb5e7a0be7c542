import Consensus
import Foundation
import PeerProcess
import Replication
import Testing

/// The documented limits match the enforced ones.
@Suite struct LimitTableTests {
    @Test func `the page has the limits of voters and claims`() throws {
        let page = try PeerPython.packageRoot().appending(path: "Documentation/TwoHubs.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## Limits\n").last)
        var table: [String: Int] = [:]
        for line in section.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            table[cells[0].trimmingCharacters(in: ["`"])] = Int(cells[1])
        }
        #expect(
            table == [
                "batchBytes": ConsensusLimits.batchBytes,
                "batchesPerMessage": ConsensusLimits.batchesPerMessage,
                "messageBatchBytes": ConsensusLimits.messageBatchBytes,
                "messageBytes": ConsensusLimits.messageBytes,
                "uncommittedBatches": ConsensusLimits.uncommittedBatches,
                "uncommittedBytes": ConsensusLimits.uncommittedBytes,
                "logBatches": ConsensusLimits.logBatches,
                "logBytes": ConsensusLimits.logBytes,
                "keptBatches": ConsensusLimits.keptBatches,
                "relayBatches": ConsensusLimits.relayBatches,
                "relayBytes": ConsensusLimits.relayBytes,
                "relayTermStep": ConsensusLimits.relayTermStep,
                "contradictions": ConsensusLimits.contradictions,
                "rememberedOccurrences": FiringTimes.rememberedOccurrences,
                "waitingMessages": Replicator.waitingMessages,
                "relayRequests": Replicator.relayRequests,
                "waitingChanges": Replicator.waitingChanges,
                "maximumCount": BatchKeys.maximumCount,
                "contentBytes": BatchKeys.contentBytes,
                "changeBytes": Replicator.changeBytes,
            ]
        )
    }
}
