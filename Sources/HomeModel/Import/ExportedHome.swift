package import Foundation

/// A home as an export has it, to be taken over by a home of a hub.
///
/// What it says was checked when it was read: names follow the rules, and what refers to something refers to something of
/// the export. Whether it can be had in a home of today is for ``Home/decideImport(of:by:at:)``.
package struct ExportedHome: Sendable, Identifiable {
    /// The home.
    package let home: Home
    /// What the user who exported it calls it; nil if the export does not say.
    package let name: String?
    /// Whether it is that user's primary home.
    package let isPrimary: Bool
    /// Where it stands in that user's list of homes; ascending.
    package let order: Int
    /// The line of each record, the first line being 1.
    let lines: [RecordID: Int]

    /// The home's identity.
    package var id: UUID { home.id }

    init(home: Home, account: AccountHomeRecord?, lines: [RecordID: Int]) {
        self.home = home
        name = account?.name
        isPrimary = account?.isPrimary ?? false
        order = account?.order ?? .max
        self.lines = lines
    }

    /// Carries out a check of a record: what it refuses is refused with the record's line.
    func check<Result>(_ record: RecordID, _ body: () throws(HomeError) -> Result) throws(HomeError) -> Result {
        do throws(HomeError) {
            return try body()
        } catch {
            guard let line = lines[record] else { throw error }
            throw HomeError(error.code, "Line \(line): \(error.reason)")
        }
    }

    /// Refuses a record for a contradiction.
    func damaged(_ record: RecordID, _ reason: String) -> HomeError {
        HomeError(.exportDamaged, (lines[record].map { "Line \($0): " } ?? "") + reason)
    }
}
