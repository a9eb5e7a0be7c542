import Foundation
import HomeModel

/// A user's homes, with their role in each.
///
/// This is a list rather than a dictionary, because a value's home is looked up for each session. To compare the IDs of a
/// user's few homes takes less time than to hash one.
struct HomeRoles: Sendable, Sequence {
    private var entries: [(home: UUID, role: Role)]

    /// Creates a list of distinct homes.
    init(_ entries: [(home: UUID, role: Role)] = []) {
        self.entries = entries
    }

    /// The homes.
    var homes: [UUID] { entries.map(\.home) }

    /// The role in each of the homes.
    var roles: [Role] { entries.map(\.role) }

    /// The number of homes.
    var count: Int { entries.count }

    /// The role in a home; `nil` if the user isn't a member.
    subscript(home: UUID) -> Role? {
        get { index(of: home).map { entries[$0].role } }
        set {
            switch (index(of: home), newValue) {
            case (let index?, let role?): entries[index].role = role
            case (let index?, nil): entries.remove(at: index)
            case (nil, let role?): entries.append((home, role))
            case (nil, nil): break
            }
        }
    }

    /// Returns whether the user is a member of a home.
    func contains(_ home: UUID) -> Bool { index(of: home) != nil }

    private func index(of home: UUID) -> Int? {
        entries.firstIndex { $0.home == home }
    }

    func makeIterator() -> some IteratorProtocol<(home: UUID, role: Role)> {
        entries.makeIterator()
    }
}
