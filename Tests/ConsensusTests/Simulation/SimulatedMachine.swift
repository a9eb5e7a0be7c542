import Consensus
import Foundation

/// What a hub's batches make: the claims, and a digest of everything that was applied.
struct SimulatedMachine: Hashable {
    var digest: UInt64 = 0
    var claims: Set<Int> = []
    var open: [Int: Claim] = [:]

    /// What a batch says.
    enum Command: Hashable {
        case value(Int)
        case claim(Int, hub: Int)
        case end(Int)

        var bytes: [UInt8] {
            switch self {
            case .value(let value): [1] + Self.bytes(value)
            case .claim(let occurrence, let hub): [2, UInt8(hub)] + Self.bytes(occurrence)
            case .end(let occurrence): [3] + Self.bytes(occurrence)
            }
        }

        init?(_ bytes: [UInt8]) {
            let value = bytes.suffix(8).reduce(0) { $0 << 8 | Int($1) }
            switch bytes.first {
            case 1: self = .value(value)
            case 2: self = .claim(value, hub: Int(bytes[1]))
            case 3: self = .end(value)
            default: return nil
            }
        }

        private static func bytes(_ value: Int) -> [UInt8] {
            (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
        }
    }

    static let trigger = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    static func occurrence(_ number: Int) -> Occurrence { Occurrence(trigger: trigger, name: "\(number)") }

    static func number(of occurrence: Occurrence) -> Int { Int(occurrence.name) ?? 0 }

    /// Applies a batch.
    ///
    /// - Returns: The claim that it makes, and whether it is the first one.
    mutating func apply(_ batch: Batch, hubs: [UUID]) -> (claim: Claim, isFirst: Bool)? {
        digest = (digest ^ UInt64(batch.position.place)) &* 0x100_0000_01B3
        digest = (digest ^ UInt64(batch.position.term)) &* 0x100_0000_01B3
        for byte in batch.bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        switch Command(batch.bytes) {
        case .claim(let number, let hub):
            let claim = Claim(occurrence: Self.occurrence(number), hub: hubs[hub], term: batch.position.term)
            let isFirst = claims.insert(number).inserted
            if isFirst { open[number] = claim }
            return (claim, isFirst)
        case .end(let number): open[number] = nil
        case .value, nil: break
        }
        return nil
    }
}
