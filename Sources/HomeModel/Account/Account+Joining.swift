package import Foundation

extension Account {
    /// What puts a home of somebody else's into the user's list, as the user is given a part in it.
    ///
    /// - Parameter name: What the other calls it; with a number where the user calls another home so.
    /// - Returns: The change; nil if the home is in the list already.
    /// - Throws: ``HomeError``: `limitExceeded`.
    package func joining(_ id: UUID, named name: String) throws(HomeError) -> Change? {
        guard home(id) == nil else { return nil }
        var unique = name
        var number = 2
        while home(named: unique) != nil {
            unique = NameRule.numbered(name, number)
            number += 1
        }
        return try decide(.addHome(id: id, name: unique))
    }
}
