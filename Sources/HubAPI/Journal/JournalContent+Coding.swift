import Foundation
import HomeModel

extension JournalContent: Codable {
    private enum Key: String, CodingKey {
        case value, failedWrite, change, trigger, scene, reachability, presence, sentence
    }

    private struct FailedWrite: Codable {
        var write: JournalValue
        var error: HubError
    }

    private struct Change: Codable {
        var verb: Verb
        var objects: [JournalObject]
    }

    private struct Trigger: Codable {
        var trigger: JournalObject
        var outcome: TriggerOutcome
        var event: TriggerEvent?
        var observations: [Observation]
        var due: Date?
    }

    private struct Scene: Codable {
        var scene: JournalObject
        var actions: Int
        var failures: Int
    }

    private struct Reachability: Codable {
        var accessory: JournalObject
        var isReachable: Bool
        var reason: String?
    }

    private struct PersonPresence: Codable {
        var user: JournalObject
        var isHome: Bool
    }

    /// Decodes an object with one member, which names the kind.
    ///
    /// - Throws: `DecodingError` for a kind of a newer version too.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        switch container.allKeys.first {
        case .value: self = .value(try container.decode(JournalValue.self, forKey: .value))
        case .failedWrite:
            let body = try container.decode(FailedWrite.self, forKey: .failedWrite)
            self = .failedWrite(body.write, body.error)
        case .change:
            let body = try container.decode(Change.self, forKey: .change)
            self = .change(body.verb, objects: body.objects)
        case .trigger:
            let body = try container.decode(Trigger.self, forKey: .trigger)
            self = .trigger(
                body.trigger,
                body.outcome,
                event: body.event,
                observations: body.observations,
                due: body.due
            )
        case .scene:
            let body = try container.decode(Scene.self, forKey: .scene)
            self = .scene(body.scene, actions: body.actions, failures: body.failures)
        case .reachability:
            let body = try container.decode(Reachability.self, forKey: .reachability)
            self = .reachability(body.accessory, isReachable: body.isReachable, reason: body.reason)
        case .presence:
            let body = try container.decode(PersonPresence.self, forKey: .presence)
            self = .presence(body.user, isHome: body.isHome)
        case .sentence: self = .sentence(try container.decode(String.self, forKey: .sentence))
        case nil:
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "an unknown kind of entry")
            )
        }
    }

    /// Encodes the object.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .value(let value): try container.encode(value, forKey: .value)
        case .failedWrite(let write, let error):
            try container.encode(FailedWrite(write: write, error: error), forKey: .failedWrite)
        case .change(let verb, let objects):
            try container.encode(Change(verb: verb, objects: objects), forKey: .change)
        case .trigger(let trigger, let outcome, let event, let observations, let due):
            let body = Trigger(
                trigger: trigger,
                outcome: outcome,
                event: event,
                observations: observations,
                due: due
            )
            try container.encode(body, forKey: .trigger)
        case .scene(let scene, let actions, let failures):
            try container.encode(Scene(scene: scene, actions: actions, failures: failures), forKey: .scene)
        case .reachability(let accessory, let isReachable, let reason):
            let body = Reachability(accessory: accessory, isReachable: isReachable, reason: reason)
            try container.encode(body, forKey: .reachability)
        case .presence(let user, let isHome):
            try container.encode(PersonPresence(user: user, isHome: isHome), forKey: .presence)
        case .sentence(let text): try container.encode(text, forKey: .sentence)
        }
    }
}
