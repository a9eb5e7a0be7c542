import Crypto
import Foundation
package import HomeIdentity

/// The processes that work, and which of them a house belongs to: the one whose hash together with the house is the highest.
/// When a process comes or goes, only the houses move that it gets or had.
package struct ProcessRing: Hashable, Sendable {
    /// The processes.
    package var processes: [RelayProcess]

    /// Creates a ring.
    package init(_ processes: [RelayProcess]) {
        self.processes = processes
    }

    /// Returns the process that a house belongs to; `nil` if there is none.
    package func owner(of house: HouseID) -> RelayProcess? {
        guard processes.count > 1 else { return processes.first }
        return processes.map { (Self.score($0, house), $0) }.max { $0.0.lexicographicallyPrecedes($1.0) }?.1
    }

    private static func score(_ process: RelayProcess, _ house: HouseID) -> [UInt8] {
        let id = withUnsafeBytes(of: process.id.uuid) { Array($0) }
        // IDs differ, so the hashes do.
        return Array(SHA256.hash(data: id + house.bytes))
    }
}
