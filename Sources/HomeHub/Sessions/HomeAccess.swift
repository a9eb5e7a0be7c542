import Foundation
import HubAPI

/// What a session's client sees: the homes, and the values in them.
///
/// It is separate from the rest of a session's state, which would otherwise be copied for each value.
struct HomeAccess: Sendable {
    /// The user's homes, with their role in each.
    var roles = HomeRoles()
    /// The homes that the user may not use from where the session comes from. The client sees their layout only.
    var closedHomes: Set<UUID> = []
    /// The values that the client is subscribed to.
    var filter = NotificationFilter()
    /// Whether this is an agent's own session, as ``HubSession/hello`` decides. It receives all values of the homes that it
    /// may use, because the agent's copy has the last value of everything.
    var isAgent = false

    /// The roles in the homes whose values the client sees.
    var liveRoles: HomeRoles {
        closedHomes.isEmpty ? roles : HomeRoles(roles.filter { !closedHomes.contains($0.home) })
    }

    /// Returns the values that a session's client sees, which are those that it subscribed to in homes that it may use;
    /// `nil` if it sees all of them.
    ///
    /// - Parameter session: The session's ID. It has had the values that a reply told it.
    func visible(of values: [ValueActivity], to session: UUID) -> [ValueActivity]? {
        guard let first = values.indices.first(where: { !isVisible(values, $0, session) }) else { return nil }
        var visible = Array(values[..<first])
        for index in (first + 1)..<values.endIndex where isVisible(values, index, session) {
            visible.append(values[index])
        }
        return visible
    }

    /// Returns whether the client sees a value, which is looked at in place because it is large and most clients see all.
    private func isVisible(_ values: [ValueActivity], _ index: Int, _ session: UUID) -> Bool {
        let home = values[index].update.home
        guard values[index].repliedTo != session, roles.contains(home), !closedHomes.contains(home) else {
            return false
        }
        return values[index].isForAll || filter.passes(values[index].update.characteristic, in: home) || isAgent
    }
}
