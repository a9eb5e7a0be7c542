import Foundation
import HAPCatalog
import HomeModel
import HomeText
import HubAPI

/// A journal entry as the command line prints it in JSON. Properties that don't apply are left out.
struct JournalRow: Encodable {
    /// A term of a condition, as it was.
    struct Term: Encodable {
        var term: String
        var isTrue: Bool
        var facts: String?
    }

    var id: UUID
    /// The entry that caused it.
    var parent: UUID?
    var time: Date
    /// `value`, `failedWrite`, `change`, `trigger`, `scene`, `reachability` or `presence`.
    var kind: String
    /// The sentence for people.
    var text: String
    /// The kind of cause: `person`, `app`, `assistant`, `consent`, `voice`, `scene`, `trigger`, `accessory` or `hub`.
    var cause: String
    var person: String?
    var app: String?
    /// The device that requested it over the network.
    var device: String?
    /// The way by which that device reached the hub: `near` or `away`.
    var way: Way?
    var accessory: String?
    var service: String?
    var characteristic: String?
    var value: CharacteristicValue?
    var previous: CharacteristicValue?
    var error: HubError?
    var verb: String?
    /// The names of what a change is about.
    var objects: [String]?
    var automation: String?
    var outcome: String?
    var due: Date?
    var conditions: [Term]?
    var scene: String?
    var actions: Int?
    var failures: Int?
    var isReachable: Bool?
    var reason: String?
    var isHome: Bool?
    var sentence: String?

    /// Describes an entry.
    init(_ entry: JournalEntry, _ sentences: JournalSentence) {
        id = entry.id
        parent = entry.parent
        time = entry.time
        text = sentences.line(entry)
        cause = entry.cause.kind.rawValue
        person = entry.person
        app = entry.app
        device = entry.device
        way = entry.way
        switch entry.content {
        case .value(let value):
            kind = "value"
            describe(value)
        case .failedWrite(let value, let error):
            kind = "failedWrite"
            describe(value)
            self.error = error
        case .change(let verb, let objects):
            kind = "change"
            self.verb = verb.rawValue
            self.objects = objects.map(\.name)
        case .trigger(let trigger, let outcome, _, let observations, let due):
            kind = "trigger"
            automation = trigger.name
            self.outcome = outcome.rawValue
            self.due = due
            if !observations.isEmpty {
                conditions = sentences.terms(of: entry).map { Term(term: $0.term, isTrue: $0.isTrue, facts: $0.facts) }
            }
        case .scene(let scene, let actions, let failures):
            kind = "scene"
            self.scene = scene.name
            self.actions = actions
            self.failures = failures
        case .reachability(let accessory, let isReachable, let reason):
            kind = "reachability"
            self.accessory = accessory.name
            self.isReachable = isReachable
            self.reason = reason
        case .presence(let person, let isHome):
            kind = "presence"
            objects = [person.name]
            self.isHome = isHome
        case .sentence(let text):
            kind = "sentence"
            sentence = text
        }
    }

    private mutating func describe(_ value: JournalValue) {
        accessory = value.accessory.name
        service = value.service
        characteristic = CharacteristicDefinition.of(value.type)?.identifier ?? value.type.shortForm
        self.value = value.value
        previous = value.previous
    }
}
