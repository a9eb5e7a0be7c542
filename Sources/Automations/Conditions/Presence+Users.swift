import Foundation
import HomeModel

extension Presence.People {
    /// Returns the users who count.
    ///
    /// - Parameter users: The home's users.
    func users(among users: [UUID]) -> [UUID] {
        switch self {
        case .everyone: users
        case .users(let ids): ids
        // A stored presence names the caller.
        case .caller: []
        }
    }
}
