package import Foundation
import HomeModel
import HubAPI

extension HomeHub {
    /// Returns the account of a home's user, for code that authenticates users.
    ///
    /// - Parameters:
    ///   - alias: The ID under which the user appears to an app.
    ///   - home: The home.
    ///   - app: The app's identifier.
    /// - Returns: The account; `nil` if no user of the home has the ID.
    package func account(of alias: UUID, in home: UUID, to app: String) async -> UUID? {
        guard let home = await database.home(home) else { return nil }
        return aliases.projection(for: owner.user, app: app, .app).person(alias, in: home)
    }

    /// Returns the ID under which an account appears to an app in a home.
    package func alias(of account: UUID, in home: UUID, to app: String) -> UUID {
        aliases.projection(for: owner.user, app: app, .app).alias(of: account, in: home)
    }
}
