import Foundation
import HomeModel
import HubAPI

/// The methods for agents.
struct AgentMethodHandlers: HubPart {
    let aliases: AliasKey

    func register(in router: inout MethodRouter) {
        router.on(HubMethods.homeKeys) { (_, session) async throws(HubError) in
            guard session.isAgent else {
                let reason = "Only an agent's own session can call \(HubMethods.homeKeys.name)."
                throw HubError(HomeError(.insufficientPrivileges, reason))
            }
            let keys = session.roles.keys.map { ($0, Data(aliases.homeKey($0))) }
            return .done(HomeKeys(user: session.user, keys: Dictionary(uniqueKeysWithValues: keys)))
        }
    }
}
