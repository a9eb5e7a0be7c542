import Foundation
import HomeModel
import HubAPI

extension Projection {
    /// The projection for a person's session of an app, by a key that is no secret.
    static func test(_ user: UUID, app: String = "com.example.lights", _ kind: SessionKind = .app) -> Projection {
        Projection(user: user, app: app, kind: kind) { message, home in
            let name = message.map { String($0) }.joined(separator: " ")
            return withUnsafeBytes(of: UUID(nameSpace: home, name: name).uuid) { Array($0) }
        }
    }

    /// What a client of this session knows of a home that it has just been shown.
    func state(of home: Home) -> HubState {
        var state = HubState()
        state.apply(.change(arrival(of: home, at: LogCursor(lineage: home.id, revision: 1), isMine: false)))
        return state
    }
}

extension HubState {
    /// Takes in a change of a home as a session is shown it.
    mutating func follow(_ change: Change, in home: UUID, by projection: Projection) {
        let place = LogCursor(lineage: home, revision: 2)
        apply(.change(projection.change(change, in: .home(home), at: place, isMine: false)))
    }
}
