package import Foundation

/// One of the three voters of a house with two hubs.
package enum Voter: Hashable, Sendable {
    /// A hub. It may lead.
    case hub(UUID)
    /// The relay. It votes and keeps batches that it can't read. It never leads.
    case relay
}
