import Consensus
import Foundation
import HubNetwork
import Replication

/// The other hub, as a replicator reaches it.
struct LinkedHub: PairedHub {
    let link: HubLink
    let transfers: HubTransfers

    func send(_ message: [UInt8]) {
        if let frame = HubFrame(.vote, message) { link.send(frame) }
    }

    func sendBase(_ file: URL, term: Int) async throws -> BatchPosition {
        let answer = try await transfers.send(file, note: Self.bytes([term]))
        guard let numbers = Self.numbers(answer), numbers.count == 2 else { throw HubTransferError.refused }
        return BatchPosition(place: numbers[0], term: numbers[1])
    }

    static func bytes(_ numbers: [Int]) -> [UInt8] {
        numbers.flatMap { number in withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) } }
    }

    static func numbers(_ bytes: [UInt8]) -> [Int]? {
        guard bytes.count % 8 == 0 else { return nil }
        let numbers = stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return numbers.allSatisfy { $0 <= UInt64(Int.max) } ? numbers.map(Int.init) : nil
    }
}

/// A house without a relay: two hubs agree only while both are there.
struct NoRelay: RelayVoting {
    private struct Missing: Error {}

    func answer(_ message: VoterMessage) async -> VoterMessage? { nil }
    func sendBase(_ base: SealedBase, term: Int) async throws { throw Missing() }
    func basePieces(at position: BatchPosition) async throws -> Int { throw Missing() }
    func basePiece(_ number: Int, at position: BatchPosition) async throws -> [UInt8] { throw Missing() }
}
