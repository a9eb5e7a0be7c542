import Foundation
package import HomeModel

// These methods translate from the session to the hub.

extension Projection {
    /// A placeholder for a user who isn't in the home. No user has this ID.
    private static let nobody = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// Returns a request with aliases replaced by the home's own user IDs.
    ///
    /// An ID that isn't an alias in this home and app becomes the ID of no user, even if it is one of the home's own
    /// IDs. The home's rules then reject it in their usual order, like any unknown ID.
    ///
    /// - Parameters:
    ///   - request: The request, with the IDs that the session received.
    ///   - home: The home that the request is for, in its current state.
    package func request(_ request: any HomeRequest, in home: Home) -> any HomeRequest {
        switch request {
        case let request as RemoveUser:
            return RemoveUser(person(request.id, in: home) ?? Self.nobody)
        case let request as SetRole:
            return SetRole(request.role, of: person(request.id, in: home) ?? Self.nobody)
        case let request as SetMayBeAway:
            return SetMayBeAway(request.isAllowed, of: person(request.id, in: home) ?? Self.nobody)
        case let request as ConfirmUser:
            return ConfirmUser(person(request.id, in: home) ?? Self.nobody)
        case var request as AddTrigger:
            guard case .event(var rule) = request.definition else { return request }
            let people = people(of: home)
            rule.events = rule.events.map { Self.event($0, people) }
            rule.endEvents = rule.endEvents.map { Self.event($0, people) }
            rule.condition = rule.condition?.mapLeaves { Self.term($0, people) }
            request.definition = .event(rule)
            return request
        case var request as EditTrigger:
            let people = people(of: home)
            switch request.edit {
            case .events(let events): request.edit = .events(events.map { Self.event($0, people) })
            case .endEvents(let events): request.edit = .endEvents(events.map { Self.event($0, people) })
            case .condition(let condition):
                request.edit = .condition(condition?.mapLeaves { Self.term($0, people) })
            default: break
            }
            return request
        default:
            return request
        }
    }

    private static func event(_ event: TriggerEvent, _ people: [UUID: UUID]) -> TriggerEvent {
        var event = event
        switch event.occurrence {
        case .presence(let presence):
            event.occurrence = .presence(Self.presence(presence, people))
        case .location(var region):
            // The location becomes the requesting user's.
            region.user = nil
            event.occurrence = .location(region)
        case .hiddenLocation(var location):
            // The location keeps its user.
            location.user = nil
            event.occurrence = .hiddenLocation(location)
        case .characteristic, .threshold, .sun, .calendar, .duration, .unknown:
            break
        }
        return event
    }

    private static func term(_ term: Condition, _ people: [UUID: UUID]) -> Condition {
        guard case .presence(let presence) = term else { return term }
        return .presence(Self.presence(presence, people))
    }

    private static func presence(_ presence: Presence, _ people: [UUID: UUID]) -> Presence {
        guard case .users(let aliases) = presence.people else { return presence }
        return Presence(presence.kind, of: .users(aliases.map { people[$0] ?? nobody }))
    }
}
