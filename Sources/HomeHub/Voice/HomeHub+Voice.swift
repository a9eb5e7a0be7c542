package import Foundation
import HomeModel
package import HubAPI
import Voice

/// For listeners that bring sentences.
extension HomeHub {
    /// The tags of the languages that the hub understands.
    package var voiceLanguages: [String] { Language.codes }

    /// Returns the user with a name in a home of the hub's own user; without a name, the hub's own user.
    ///
    /// - Throws: `notFound` if there is no such user, or `nameTaken` if several have the name.
    package func user(named name: String?) async throws(HubError) -> UUID {
        guard let name else { return owner.user }
        let folded = FoldedName(name)
        var (found, names): (Set<UUID>, Set<String>) = ([], [])
        for record in await database.homes(of: owner.user) {
            guard let home = await database.home(record.id) else { continue }
            for user in home.users where home.activeRole(of: user.id) != nil {
                names.insert(user.name)
                if FoldedName(user.name) == folded { found.insert(user.id) }
            }
        }
        guard let user = found.first else {
            let known = names.sorted().prefix(20).joined(separator: ", ")
            let reason = "The homes have no user “\(name.prefix(HomeLimits.nameLength))”."
            throw HubError(HomeError(.notFound, known.isEmpty ? reason : "\(reason) They have: \(known)."))
        }
        guard found.count == 1 else {
            throw HubError(HomeError(.nameTaken, "Several users are called “\(name)”. Rename all but one of them."))
        }
        return user
    }
}
