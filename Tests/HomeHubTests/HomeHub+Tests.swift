import Foundation
import HomeModel

@testable import HomeHub

extension HomeHub {
    /// Returns the account of a user of one of the homes.
    ///
    /// - Parameter id: The ID under which the user appears to an app; any other ID is returned as it is.
    func account(_ id: UUID, to app: String = RecordingHubClient.defaultApp) async -> UUID {
        for home in await database.homes {
            if let account = await account(of: id, in: home.id, to: app) { return account }
        }
        return id
    }
}
