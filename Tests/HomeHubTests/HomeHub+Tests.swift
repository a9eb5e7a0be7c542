import Foundation
import HomeModel

@testable import HomeHub

extension HomeHub {
    /// The account of a person of one of the homes.
    ///
    /// - Parameter id: The ID under which the person appears to an app, or, of nobody's, an account.
    func account(_ id: UUID, to app: String = RecordingHubClient.usualApp) async -> UUID {
        for home in await database.homes {
            if let account = await account(of: id, in: home.id, to: app) { return account }
        }
        return id
    }
}
