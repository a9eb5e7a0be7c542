import Foundation
import HomeModel
import HubAPI

/// The rule that says who may call a method and from where: the row of the method table, for a hub.
struct AccessRule: Sendable {
    private let method: String
    private let audience: MethodAudience
    private let need: MethodNeed
    private let reach: Way
    /// The hub's own user.
    private let owner: UUID
    /// Whether the caller's role in the home that the parameters name counts, and not the highest of their roles.
    let dependsOnHome: Bool

    init<Parameters, Result>(_ method: Method<Parameters, Result>, owner: UUID) {
        self.method = method.name
        audience = method.caller
        need = method.need
        reach = method.reach
        self.owner = owner
        let namesHome = Parameters.self is any HomeLocating.Type
        dependsOnHome = namesHome && (method.need == .editor || method.need == .owner)
    }

    /// Returns an error if a session may not call the method, whatever the parameters; `nil` if it may.
    func refusal(to session: HubSession) -> HubError? {
        if session.isAssistant, !HubMethods.forAssistants.contains(method) {
            return HubError(HomeError(.insufficientPrivileges, "Assistants can't call \(method)."))
        }
        if case .app(let app) = session.authority.client, audience != .apps {
            let place = "This socket belongs to “\(app)”"
            return HubError(.appNotAllowed, "\(place), which can't call \(method). Use the hub's own socket.")
        }
        if !dependsOnHome, let reason = reasonAgainst(session) {
            return HubError(HomeError(.insufficientPrivileges, reason))
        }
        guard session.authority.way <= reach else {
            let place = reach == .here ? "at the hub itself, on its machine" : "at home, in the hub's network"
            return HubError(.notHere, "\(method) can be called only \(place).")
        }
        return nil
    }

    /// Returns an error if a session's user may not call the method in a home; `nil` if they may, or if they aren't a
    /// member. The handler says then that there is no such home.
    func refusal(to session: HubSession, in home: UUID) -> HubError? {
        guard dependsOnHome, let role = session.roles[home] else { return nil }
        switch need {
        case .owner where role != .owner:
            return HubError(HomeError(.insufficientPrivileges, "Only the owner of the home can do this."))
        case .editor where !role.canEditLayout:
            return HubError(HomeError(.insufficientPrivileges, Self.editorsOnly))
        default:
            return nil
        }
    }

    /// Returns an error if a session may not give somebody a role from where it is; `nil` if it may. The home's rules
    /// decide the rest.
    func refusal(to session: HubSession, giving role: Role) -> HubError? {
        guard role == .administrator, session.authority.way > .near else { return nil }
        return HubError(.notHere, "Administrators can be made only in the hub's own network.")
    }

    /// Returns why a session's user may not call the method, by the highest of their roles; `nil` if they may.
    private func reasonAgainst(_ session: HubSession) -> String? {
        // The hub's own user may have no home yet.
        if need == .oneself || need == .visitor || session.user == owner { return nil }
        let roles = session.roles.roles
        switch need {
        case .owner where !roles.contains(.owner):
            return "Only the owner of a home can do this."
        case .editor where !roles.contains(where: \.canEditLayout):
            return Self.editorsOnly
        case .resident where !roles.contains(where: \.canEditLayout):
            return "Only the hub's own user, and owners and administrators of its homes, can call \(method)."
        case .hubOwner:
            return "Only the hub's own user can call \(method)."
        default:
            return nil
        }
    }

    private static let editorsOnly = "Only the owner and administrators of a home may change its layout."
}
