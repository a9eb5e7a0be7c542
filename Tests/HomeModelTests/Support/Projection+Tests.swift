import Foundation
import HomeModel
import HubAPI

extension Projection {
    /// The projection for a user's session of an app, with a key that isn't secret.
    static func test(_ user: UUID, app: String = "com.example.lights", _ kind: SessionKind = .app) -> Projection {
        Projection(user: user, app: app, kind: kind) { message, home in
            let name = message.map { String($0) }.joined(separator: " ")
            return withUnsafeBytes(of: UUID(nameSpace: home, name: name).uuid) { Array($0) }
        }
    }

    /// The state of this session's client after it has received a home.
    func state(of home: Home) -> HubState {
        var state = HubState()
        state.apply(.change(homeChange(of: home, at: LogCursor(lineage: home.id, revision: 1), isMine: false)))
        return state
    }
}

extension HubState {
    /// Applies a change of a home as it is sent to a session.
    mutating func follow(_ change: Change, in home: UUID, by projection: Projection, as role: Role? = .owner) {
        let place = LogCursor(lineage: home, revision: 2)
        apply(.change(projection.change(change, in: .home(home), at: place, as: role, isMine: false)))
    }
}
