package import Foundation

extension Account {
    /// Returns the change that adds another user's home to the list, for when the user is given access to it.
    ///
    /// - Parameter name: The other user's name for the home. A number is appended if the name is already in use.
    /// - Returns: The change; `nil` if the home is already in the list.
    /// - Throws: ``HomeError`` with `limitExceeded`.
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
