import Foundation
import HomeModel
import Testing

extension HomeExport {
    /// The export of one home, which is its user's primary home.
    static func text(of home: Home, named name: String = "Villa") throws -> String {
        let record = AccountHomeRecord(id: home.id, name: name, isPrimary: true, order: 1)
        return try HomeExport(account: Account(user: UUID(), records: [.accountHome(record)]), homes: [home]).text
    }

    /// The home as it is read from its export.
    static func exported(_ home: Home) throws -> ExportedHome {
        try #require(try homes(in: Data(try text(of: home).utf8)).first)
    }

    /// Returns the error when a text is read, with its code and reason; `nil` if it is read.
    static func refusal(of text: String) -> HomeError? {
        do throws(HomeError) {
            _ = try homes(in: Data(text.utf8))
            return nil
        } catch {
            return error
        }
    }
}

extension TestHome {
    /// Imports a home as the owner.
    @discardableResult
    mutating func importing(_ other: Home) throws -> HomeImport {
        let outcome = try home.decideImport(of: try HomeExport.exported(other), by: owner, at: Self.time)
        if let change = outcome.change { home.apply(change) }
        return outcome
    }

    /// An empty home with the ID and default room of another, as an import creates it.
    init(like other: Home) {
        self.init()
        home = Home(id: other.id)
        home.apply(
            Home.creation(
                id: other.id,
                defaultRoom: other.defaultRoom,
                owner: UserRecord(id: owner.user, name: "Ann", role: .owner)
            )
        )
    }
}

extension HomeImport {
    /// Returns the names of the objects with an outcome.
    func names(_ fate: ImportReport.Outcome) -> [String] { items.filter { $0.fate == fate }.map(\.name) }
}
