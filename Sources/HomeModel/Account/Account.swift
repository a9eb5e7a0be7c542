package import Foundation

/// A user's own log as a value: the list of homes with the user's names for them, the primary home, the favorites, and
/// the apps that may use the homes.
package struct Account: Hashable, Sendable {
    /// The user.
    package let user: UUID
    /// The homes in the order in which they were added.
    package private(set) var homes: [AccountHomeRecord] = []
    /// The apps that were allowed or denied, in the order of the decisions.
    package private(set) var apps = RecordList<AccountAppRecord>()
    /// The devices, those that were removed included, in the order in which they were added.
    private(set) var deviceRecords = RecordList<AccountDeviceRecord>()
    /// The favorites by home.
    private(set) var favoriteRecords = RecordList<AccountFavoritesRecord>()
    /// Records of unknown kinds, and records that belong to other logs.
    private var unknownRecords = RecordList<UnknownRecord>()

    /// Creates an account from stored records, without checking them.
    package init(user: UUID, records: some Sequence<Record> = []) {
        self.user = user
        for record in records { put(record) }
    }

    /// The home that is used by default; `nil` if the user has none.
    package var primaryHome: AccountHomeRecord? { homes.first(where: \.isPrimary) }

    /// Returns the home with an ID.
    package func home(_ id: UUID) -> AccountHomeRecord? { homes.first { $0.id == id } }

    /// Returns the home with a name, compared as names are (``FoldedName``); `nil` if the user has none.
    package func home(named name: String) -> AccountHomeRecord? {
        let name = FoldedName(name)
        return homes.first { FoldedName($0.name) == name }
    }

    /// All records. Passing them to ``init(user:records:)`` creates an equal account.
    package var records: [Record] {
        homes.map { .accountHome($0) } + favoriteRecords.map { .accountFavorites($0) } + apps.map { .accountApp($0) }
            + deviceRecords.map { .accountDevice($0) } + unknownRecords.map(\.record)
    }

    /// Applies a change's effects in order. Checks no rules and never fails.
    package mutating func apply(_ change: Change) {
        for effect in change.effects {
            switch effect {
            case .put(let record): put(record)
            case .remove(let id):
                unknownRecords.remove(id: id)
                if id.kind == .accountHome { homes.removeAll { $0.id == id.uuid } }
                if id.kind == .accountApp { apps.remove(id: id.id) }
                if id.kind == .accountDevice, let device = id.uuid { deviceRecords.remove(id: device) }
                if id.kind == .accountFavorites, let home = id.uuid { favoriteRecords.remove(id: home) }
            }
        }
    }

    private mutating func put(_ record: Record) {
        switch record {
        case .accountHome(let home): put(home)
        case .accountApp(let app): apps.put(app)
        case .accountFavorites(let favorites): favoriteRecords.put(favorites)
        case .accountDevice(let device): deviceRecords.put(device)
        default: unknownRecords.put(UnknownRecord(record: record))
        }
    }

    private mutating func put(_ home: AccountHomeRecord) {
        homes.removeAll { $0.id == home.id }
        let index = homes.firstIndex { ($0.order, $0.id.uuidString) > (home.order, home.id.uuidString) }
        homes.insert(home, at: index ?? homes.endIndex)
    }
}
