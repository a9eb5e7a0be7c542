package import Foundation

/// A user's own log as a value: their homes, what they call them, which one is the primary home, and which apps may use
/// them.
package struct Account: Hashable, Sendable {
    /// The user.
    package let user: UUID
    /// The homes in the order in which they were added.
    package private(set) var homes: [AccountHomeRecord] = []
    /// The apps that were allowed or denied, in the order in which they were.
    package private(set) var apps = RecordList<AccountAppRecord>()
    /// Records of kinds that this version does not know, and those of other logs.
    private var strangers = RecordList<UnknownRecord>()

    /// Makes an account of stored records. Nothing is checked: what is there is kept.
    package init(user: UUID, records: some Sequence<Record> = []) {
        self.user = user
        for record in records { put(record) }
    }

    /// The home that is meant unless another is named; nil if the user has none.
    package var primaryHome: AccountHomeRecord? { homes.first(where: \.isPrimary) }

    /// A home of the user.
    package func home(_ id: UUID) -> AccountHomeRecord? { homes.first { $0.id == id } }

    /// The home of a name, compared as names are; nil if the user has none of that name.
    package func home(named name: String) -> AccountHomeRecord? {
        let name = FoldedName(name)
        return homes.first { FoldedName($0.name) == name }
    }

    /// Every record, from which ``init(user:records:)`` makes an equal account.
    package var records: [Record] {
        homes.map { .accountHome($0) } + apps.map { .accountApp($0) } + strangers.map(\.record)
    }

    /// Follows a change's effects, in their order. Knows no rule and never fails.
    package mutating func apply(_ change: Change) {
        for effect in change.effects {
            switch effect {
            case .put(let record): put(record)
            case .remove(let id):
                strangers.remove(id: id)
                if id.kind == .accountHome { homes.removeAll { $0.id == id.uuid } }
                if id.kind == .accountApp { apps.remove(id: id.id) }
            }
        }
    }

    private mutating func put(_ record: Record) {
        switch record {
        case .accountHome(let home): put(home)
        case .accountApp(let app): apps.put(app)
        default: strangers.put(UnknownRecord(record: record))
        }
    }

    private mutating func put(_ home: AccountHomeRecord) {
        homes.removeAll { $0.id == home.id }
        let place = homes.firstIndex { ($0.order, $0.id.uuidString) > (home.order, home.id.uuidString) }
        homes.insert(home, at: place ?? homes.endIndex)
    }
}
