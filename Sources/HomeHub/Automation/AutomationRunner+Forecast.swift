import Automations
import Foundation
import HomeModel
import HubAPI

extension AutomationRunner {
    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.testTrigger) { [self] (parameters, session) async throws(HubError) in
            let home = try await parts.database.home(parameters.home, for: session.user)
            return .done(try await forecast(parameters.id, in: home, for: session))
        }
    }

    /// Returns what a trigger would do now. Its observations name users as the session knows them.
    private func forecast(_ id: UUID, in home: Home, for session: HubSession) throws(HubError) -> TriggerForecast {
        let now = parts.clock.now
        guard let forecast = engine.forecast(of: id, in: home.id, at: now, known: known, isElsewhere: !mayFire) else {
            throw HubError(HomeError(.notFound, "There is no trigger \(id) in the home.", about: .trigger(id)))
        }
        return TriggerForecast(
            wouldRun: forecast.wouldRun,
            obstacle: forecast.obstacle.map { TriggerOutcome($0) },
            observations: forecast.observations.map { session.projection.observation($0, in: home.id) },
            next: forecast.next
        )
    }
}
