package import HomeModel

/// A home as sentences see it: names, places, kinds and present values, of whatever origin.
package struct SpokenHome: Hashable, Sendable {
    package struct Room: Hashable, Sendable {
        package var id: String
        package var name: String

        package init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    package struct Zone: Hashable, Sendable {
        package var id: String
        package var name: String
        package var rooms: [String]

        package init(id: String, name: String, rooms: [String]) {
            self.id = id
            self.name = name
            self.rooms = rooms
        }
    }

    package struct Service: Hashable, Sendable {
        package var id: String
        package var name: String
        /// The accessory's name, if people may say it for this service.
        package var accessoryName: String?
        package var kind: ServiceKind
        /// What a user said that a switch, an outlet or a fan stands for.
        package var associatedKind: ServiceKind?
        package var room: String?
        /// What the service has.
        package var traits: Set<SpokenTrait>
        /// The values that are known. An accessory that doesn't answer has traits without values.
        package var values: [SpokenTrait: Double]
        /// The range that a characteristic's metadata allows, where it is known.
        package var limits: [SpokenTrait: ClosedRange<Double>]

        package init(
            id: String,
            name: String,
            accessoryName: String? = nil,
            kind: ServiceKind,
            associatedKind: ServiceKind? = nil,
            room: String?,
            traits: Set<SpokenTrait>? = nil,
            values: [SpokenTrait: Double],
            limits: [SpokenTrait: ClosedRange<Double>] = [:]
        ) {
            self.id = id
            self.name = name
            self.accessoryName = accessoryName
            self.kind = kind
            self.associatedKind = associatedKind
            self.room = room
            self.traits = traits ?? Set(values.keys)
            self.values = values
            self.limits = limits
        }
    }

    package struct Group: Hashable, Sendable {
        package var id: String
        package var name: String
        package var services: [String]

        package init(id: String, name: String, services: [String]) {
            self.id = id
            self.name = name
            self.services = services
        }
    }

    package struct Scene: Hashable, Sendable {
        package var id: String
        package var name: String

        package init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    package var name: String
    /// Whether a temperature without a unit is in degrees Fahrenheit.
    package var usesFahrenheit: Bool
    package var rooms: [Room]
    package var zones: [Zone]
    package var services: [Service]
    package var groups: [Group]
    package var scenes: [Scene]

    package init(
        name: String,
        usesFahrenheit: Bool = false,
        rooms: [Room],
        zones: [Zone] = [],
        services: [Service],
        groups: [Group] = [],
        scenes: [Scene] = []
    ) {
        self.name = name
        self.usesFahrenheit = usesFahrenheit
        self.rooms = rooms
        self.zones = zones
        self.services = services
        self.groups = groups
        self.scenes = scenes
    }
}
