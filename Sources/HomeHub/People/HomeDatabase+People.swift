import Foundation
import HomeModel
import HubAPI

/// Requests of sessions, which identify users by aliases.
extension HomeDatabase {
    /// Decides a request of a session's about a home's layout or people.
    /// Decides a session's request about a home's layout or users.
    ///
    /// - Parameters:
    ///   - request: The request, with the user IDs that the session received.
    ///   - receipt: A receipt to store together with the change.
    /// - Returns: The change, which is being written to disk.
    /// - Throws: The violated rule; nothing changed.
    func submit(
        _ request: any HomeRequest,
        in id: UUID,
        by session: HubSession,
        receipt: RequestReceipt?
    ) throws(HubError) -> PendingChange {
        let home = try home(id, for: session.user)
        let resolved = session.projection.request(request, in: home)
        return try submit(resolved, in: id, by: session.caller, cause: session.cause, receipt: receipt)
    }

    /// Returns the user that a session refers to in one of its homes.
    ///
    /// - Throws: `notFound` if the home has no user with that ID, or isn't one of the session's homes.
    func person(_ target: ItemTarget, of session: HubSession) throws(HubError) -> UUID {
        let home = try home(target.home, for: session.user)
        guard let person = session.projection.person(target.id, in: home), home.activeRole(of: person) != nil else {
            throw HubError(HomeError(.notFound, "Your homes have no such user."))
        }
        return person
    }
}
