package import Foundation

/// A home as an export describes it, to be imported into a home of a hub.
///
/// Its consistency was checked when it was read: names follow the rules, and references refer to objects of the export.
/// ``Home/decideImport(of:by:at:person:)`` checks whether it fits into an existing home.
package struct ExportedHome: Sendable, Identifiable {
    /// The home.
    package let home: Home
    /// The exporting user's name for the home; `nil` if the export has none.
    package let name: String?
    /// Whether it is the exporting user's primary home.
    package let isPrimary: Bool
    /// The position in the exporting user's list of homes, ascending.
    package let order: Int
    /// The exporting user's favorites in the home.
    package let favorites: [Favorite]
    /// The line number of each record, starting at 1.
    let lines: [RecordID: Int]

    /// The home's ID.
    package var id: UUID { home.id }

    init(home: Home, account: AccountHomeRecord?, favorites: [Favorite], lines: [RecordID: Int]) {
        self.home = home
        self.favorites = favorites
        name = account?.name
        isPrimary = account?.isPrimary ?? false
        order = account?.order ?? .max
        self.lines = lines
    }

    /// Runs a check of a record, adding the record's line number to its error.
    func check<Result>(_ record: RecordID, _ body: () throws(HomeError) -> Result) throws(HomeError) -> Result {
        do throws(HomeError) {
            return try body()
        } catch {
            guard let line = lines[record] else { throw error }
            throw HomeError(error.code, "Line \(line): \(error.reason)")
        }
    }

    /// Returns the error for a contradiction in a record.
    func damaged(_ record: RecordID, _ reason: String) -> HomeError {
        HomeError(.exportDamaged, (lines[record].map { "Line \($0): " } ?? "") + reason)
    }
}
