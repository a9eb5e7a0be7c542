import Foundation
import HomeModel
import HubAPI

/// The methods that tell and advance the hub's time.
struct ClockMethods: HubPart {
    let clock: HubClock
    let automations: AutomationRunner
    let owner: HubOwner
    let timeZone: TimeZone

    func register(in router: inout MethodRouter) {
        router.on(HubMethods.clock) { (_, _) async throws(HubError) in .done(time) }
        router.on(HubMethods.advanceClock) { (parameters, session) async throws(HubError) in
            guard clock.kind == .manual else {
                throw HubError(
                    .clockNotManual,
                    "The hub uses the system's clock. Start one with --clock manual and a data folder of its own."
                )
            }
            guard session.user == owner.user else {
                let reason = "Only the user who runs the hub can advance its clock."
                throw HubError(HomeError(.insufficientPrivileges, reason))
            }
            guard (1...HubProtocol.longestClockAdvance).contains(parameters.milliseconds) else {
                let reason = "A clock advances by more than 0 and at most 366 days."
                throw HubError(HomeError(.invalidParameter, reason))
            }
            return .deferred { () async throws(HubError) in
                await automations.advance(by: parameters.milliseconds)
                return time
            }
        }
    }

    private var time: ClockTime {
        ClockTime(
            milliseconds: clock.now.milliseconds,
            isManual: clock.kind == .manual,
            timeZone: timeZone.identifier
        )
    }
}
