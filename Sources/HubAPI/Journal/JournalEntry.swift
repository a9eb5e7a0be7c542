package import Foundation
package import HAPCatalog
package import HomeModel
package import LocalRPC

/// Something that happened in a home, with its cause.
///
/// An entry contains the names that its objects had at the time, so that it can be told after they are gone.
package struct JournalEntry: Hashable, Sendable, Codable, Identifiable {
    /// The entry's ID. Entries that it causes refer to it.
    package var id: UUID
    /// The home.
    package var home: UUID
    /// When it happened, to the millisecond.
    package var time: Date
    /// The entry that caused it; `nil` if none did.
    package var parent: UUID?
    /// The kind of cause.
    package var cause: Cause
    /// The name of the user who requested it; `nil` if none did.
    package var person: String?
    /// The identifier of the app that requested it; `nil` if none did.
    package var app: String?
    /// The name of the user's device that requested it over the network; `nil` if none did. Only editors of the home see it,
    /// and no app.
    package var device: String?
    /// The way by which that device reached the hub; `nil` if there is no device. Whoever sees the device sees it.
    package var way: Way?
    /// What happened.
    package var content: JournalContent
    /// The names of the accessories and users that the content refers to only by ID.
    package var names: [JournalObject]

    /// Creates an entry.
    package init(
        id: UUID = UUID(),
        home: UUID,
        time: Date,
        parent: UUID? = nil,
        cause: Cause,
        person: String? = nil,
        app: String? = nil,
        device: String? = nil,
        way: Way? = nil,
        content: JournalContent,
        names: [JournalObject] = []
    ) {
        self.id = id
        self.home = home
        self.time = time
        self.parent = parent
        self.cause = cause
        self.person = person
        self.app = app
        self.device = device
        self.way = way
        self.content = content
        self.names = names
    }

    /// Whether the request came from a device outside the home's network.
    package var isFromAway: Bool { way == .away }
}

/// What a journal entry is about.
package enum JournalContent: Hashable, Sendable {
    /// A characteristic got a value.
    case value(JournalValue)
    /// A write failed.
    case failedWrite(JournalValue, HubError)
    /// The layout of the home changed. The objects are those of the verb that have names.
    case change(Verb, objects: [JournalObject])
    /// A trigger's event happened; the outcome says whether the trigger fired.
    case trigger(JournalObject, TriggerOutcome, event: TriggerEvent?, observations: [Observation], due: Date?)
    /// An action set ran.
    case scene(JournalObject, actions: Int, failures: Int)
    /// An accessory became reachable or unreachable.
    case reachability(JournalObject, isReachable: Bool, reason: String?)
    /// A user arrived at home or left.
    case presence(JournalObject, isHome: Bool)
    /// A user said a sentence.
    case sentence(String)
}

/// An object of a home with its name at the time.
package struct JournalObject: Hashable, Sendable {
    /// The object's ID. A client knows users by their aliases.
    package var id: UUID
    /// Its name.
    package var name: String
    /// Whether the object is a user.
    package var isUser: Bool

    /// Creates an object.
    package init(id: UUID, name: String, isUser: Bool = false) {
        self.id = id
        self.name = name
        self.isUser = isUser
    }
}

extension JournalObject: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, isUser
    }

    /// Decodes an object.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decode(String.self, forKey: .name),
            isUser: try container.decodeIfPresent(Bool.self, forKey: .isUser) ?? false
        )
    }

    /// Encodes the object; `isUser` only if it is `true`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        if isUser { try container.encode(isUser, forKey: .isUser) }
    }
}

/// A characteristic's value with the names of its accessory and service at the time.
package struct JournalValue: Hashable, Sendable, Codable {
    /// The accessory.
    package var accessory: JournalObject
    /// The service's name; `nil` if it has none that differs from the accessory's.
    package var service: String?
    /// The characteristic's instance ID.
    package var iid: UInt64
    /// The characteristic's type.
    package var type: HAPType
    /// The value; `nil` if there is none to show.
    package var value: CharacteristicValue?
    /// The value before; `nil` if it isn't known.
    package var previous: CharacteristicValue?

    /// Creates a value.
    package init(
        accessory: JournalObject,
        service: String?,
        iid: UInt64,
        type: HAPType,
        value: CharacteristicValue?,
        previous: CharacteristicValue? = nil
    ) {
        self.accessory = accessory
        self.service = service
        self.iid = iid
        self.type = type
        self.value = value
        self.previous = previous
    }

    /// Whether the characteristic got another value than it had; `false` for a write that repeated the value.
    package var isChange: Bool { previous != value || type.isMomentary }
}
