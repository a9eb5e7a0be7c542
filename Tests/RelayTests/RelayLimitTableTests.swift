import Consensus
import Foundation
import NIOCore
import PeerProcess
import Relay
import RelayAPI
import RelayPostgres
import Testing
import WebServer

/// The documented limits match the enforced ones.
struct RelayLimitTableTests {
    @Test func theTableOfLimitsSaysWhatTheCodeSays() throws {
        let page = try PeerPython.packageRoot().appending(path: "Documentation/Limits.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "\n## Relay\n"))
        let section = text[start.upperBound...]
        let table = section.prefix(upTo: section.range(of: "\n## ")?.lowerBound ?? section.endIndex)
        let numbers = table.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().compactMap { row in
            Int(row.split(separator: "|")[1].trimmingCharacters(in: .whitespaces))
        }
        let (quota, limits) = (HouseQuota.home, RelayServerLimits())
        let pings = Int(limits.pingTime.nanoseconds / 1_000_000_000) + Int(limits.pingInterval / .seconds(1))
        #expect(
            numbers == [
                RelayLimits.entryBytes, RelayedEntryHeader.maximumBytes, RelayedEntryHeader.maximumParts,
                RelayLimits.itemsPerAppend,
                RelayLimits.appendBytes, RelayLimits.entriesPerPage, RelayLimits.pageBytes, RelayLimits.waitSeconds,
                limits.waitsPerKey, limits.waits, RelayLimits.jsonBytes, RelayLimits.envelopeBytes,
                RelayLimits.envelopesPerGeneration, RelayLimits.generations, RelayLimits.beatBytes,
                RelayLimits.vaultPieceBytes, quota.vaultPieces, RelayLimits.vaultVersions, quota.basePieces,
                RelayLimits.ownersPerHouse,
                quota.feedBytes, quota.feeds, quota.readersPerFeed, quota.writeBurst, quota.writesPerMinute,
                quota.writesPerDay, quota.votesPerMinute, ConsensusLimits.messageBytes, limits.sessionsPerKey,
                limits.sessionsPerAddress, limits.openHousesPerAddress,
                Int(RelayLimits.tokenSeconds), Int(RelayLimits.clockSeconds), limits.streamsPerKey, limits.streams,
                LiveFrame.payloadBytes, pings, RelayLimits.unacknowledgedSeconds, RelayLimits.frameRequestBytes,
                RelayLimits.frameRequests, RelayLimits.frameGapSeconds, RelayLimits.pipeCredit, quota.pipesPerFeed,
                quota.pipesPerMinute,
                RelayLimits.doorsPerHouse, RelayLimits.doorSeconds, RelayLimits.pipesPerDoor,
                quota.pipeBytesPerSecond, quota.pipeBytesPerDay, limits.connection.connections,
                limits.connection.connectionsPerAddress,
                Int(limits.bodyTime / .seconds(1)), Int(RelayLimits.entrySeconds / 86_400),
                Int(RelayLimits.houseSeconds / 86_400), Int(limits.beatInterval / .seconds(1)),
                RelayLimits.processSeconds,
                RelayPostgres.defaultConnections, RelayPostgres.maximumWaiting,
                Int(RelayPostgres.defaultPatience / .seconds(1)),
            ]
        )
        #expect(pings == RelayLimits.pingSeconds)
        #expect(limits.gapTime == .seconds(Int64(RelayLimits.frameGapSeconds)))
    }
}
