package import Foundation
package import HomeIdentity

/// A hub that was removed from the list and hasn't been told, because it was off.
package struct FormerHub: Hashable, Sendable, Codable {
    /// The maximum number that are remembered; the oldest is given up.
    static let maximumCount = 4

    /// The hub, as it was in the list.
    package let member: HubMember
    /// Its name.
    package let name: String
    /// The first list without it. A hub that it knows has signed it, so it believes it.
    package let list: Data
    /// Whether this hub connects to it and it accepts, as while both were in the list.
    package let connects: Bool
    /// The addresses at which it was last, the best first.
    package let addresses: [HubAddress]

    /// What it is told: that it is in the list no longer.
    package var farewell: [UInt8] { HubIntroduction(list: list).bytes }

    /// Returns whether an introduction of the hub shows that it has been told.
    package func isTold(by introduction: [UInt8]) -> Bool { HubIntroduction(introduction)?.list == list }
}
