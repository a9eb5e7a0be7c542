import Foundation
import HomeModel
import HubAPI

/// Requests of sessions, which know people by aliases.
extension HomeDatabase {
    /// Decides a request of a session's about a home's layout or people.
    ///
    /// - Parameters:
    ///   - request: The request, with the IDs of people that the session was shown.
    ///   - receipt: Is stored together with the change.
    /// - Returns: The decided change on its way to the disk.
    /// - Throws: The broken rule; nothing was changed.
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

    /// Returns the person whom a session means in one of its user's homes.
    ///
    /// - Throws: `notFound` if nobody there has the ID, or if the home is not one of the user's.
    func person(_ target: ItemTarget, of session: HubSession) throws(HubError) -> UUID {
        let home = try home(target.home, for: session.user)
        guard let person = session.projection.person(target.id, in: home), home.presentRole(of: person) != nil else {
            throw HubError(HomeError(.notFound, "There is no such person in your homes."))
        }
        return person
    }
}
