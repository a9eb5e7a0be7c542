/// A part of a log's state, such as a room, an accessory or a user.
///
/// In JSON, a record is an object with the record's members and `kind`. A record of an unknown kind is preserved as a
/// whole, so that it can be decoded, stored and forwarded.
package enum Record: Hashable, Sendable {
    /// The home itself.
    case home(HomeRecord)
    /// A user of the home.
    case user(UserRecord)
    /// A room.
    case room(RoomRecord)
    /// A zone.
    case zone(ZoneRecord)
    /// The services that accessories of one model share.
    case shape(ShapeRecord)
    /// An accessory.
    case accessory(AccessoryRecord)
    /// A service group.
    case serviceGroup(ServiceGroupRecord)
    /// An action set.
    case actionSet(ActionSetRecord)
    /// A trigger.
    case trigger(TriggerRecord)
    /// The order of the rooms, or of the services in a room.
    case order(OrderRecord)
    /// A home in a user's own log.
    case accountHome(AccountHomeRecord)
    /// A user's favorites in a home, in the user's own log.
    case accountFavorites(AccountFavoritesRecord)
    /// An app in a user's own log.
    case accountApp(AccountAppRecord)
    /// A device in a user's own log.
    case accountDevice(AccountDeviceRecord)
    /// A record of a newer version: its kind, its ID, and all its members, including these two.
    case unknown(kind: RecordKind, id: String, body: JSONValue)

    /// The kind of record.
    package var kind: RecordKind { recordID.kind }

    /// The record's ID in its log.
    package var recordID: RecordID {
        switch self {
        case .home(let record): RecordID(.home, record.id)
        case .user(let record): RecordID(.user, record.id)
        case .room(let record): RecordID(.room, record.id)
        case .zone(let record): RecordID(.zone, record.id)
        case .shape(let record): RecordID(record.id)
        case .accessory(let record): RecordID(.accessory, record.id)
        case .serviceGroup(let record): RecordID(.serviceGroup, record.id)
        case .actionSet(let record): RecordID(.actionSet, record.id)
        case .trigger(let record): RecordID(.trigger, record.id)
        case .order(let record): RecordID(.order, record.id)
        case .accountHome(let record): RecordID(.accountHome, record.id)
        case .accountFavorites(let record): RecordID(.accountFavorites, record.id)
        case .accountApp(let record): RecordID(kind: .accountApp, id: record.id)
        case .accountDevice(let record): RecordID(.accountDevice, record.id)
        case .unknown(let kind, let id, _): RecordID(kind: kind, id: id)
        }
    }
}

extension Record: Codable {
    private enum Key: String, CodingKey {
        case kind
        case id
    }

    /// Decodes a record.
    ///
    /// - Throws: `DecodingError` if the members don't match a known kind, or if a record of an unknown kind has no
    ///   string `id`.
    package init(from decoder: any Decoder) throws {
        let kind = try decoder.container(keyedBy: Key.self).decode(RecordKind.self, forKey: .kind)
        switch kind {
        case .home: self = .home(try HomeRecord(from: decoder))
        case .user: self = .user(try UserRecord(from: decoder))
        case .room: self = .room(try RoomRecord(from: decoder))
        case .zone: self = .zone(try ZoneRecord(from: decoder))
        case .shape: self = .shape(try ShapeRecord(from: decoder))
        case .accessory: self = .accessory(try AccessoryRecord(from: decoder))
        case .serviceGroup: self = .serviceGroup(try ServiceGroupRecord(from: decoder))
        case .actionSet: self = .actionSet(try ActionSetRecord(from: decoder))
        case .trigger: self = .trigger(try TriggerRecord(from: decoder))
        case .order: self = .order(try OrderRecord(from: decoder))
        case .accountHome: self = .accountHome(try AccountHomeRecord(from: decoder))
        case .accountFavorites: self = .accountFavorites(try AccountFavoritesRecord(from: decoder))
        case .accountApp: self = .accountApp(try AccountAppRecord(from: decoder))
        case .accountDevice: self = .accountDevice(try AccountDeviceRecord(from: decoder))
        default:
            let id = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .id)
            self = .unknown(kind: kind, id: id, body: try JSONValue(from: decoder))
        }
    }

    /// Encodes the record's members and its kind as one object.
    package func encode(to encoder: any Encoder) throws {
        if case .unknown(_, _, let body) = self { return try body.encode(to: encoder) }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(kind, forKey: .kind)
        switch self {
        case .home(let record): try record.encode(to: encoder)
        case .user(let record): try record.encode(to: encoder)
        case .room(let record): try record.encode(to: encoder)
        case .zone(let record): try record.encode(to: encoder)
        case .shape(let record): try record.encode(to: encoder)
        case .accessory(let record): try record.encode(to: encoder)
        case .serviceGroup(let record): try record.encode(to: encoder)
        case .actionSet(let record): try record.encode(to: encoder)
        case .trigger(let record): try record.encode(to: encoder)
        case .order(let record): try record.encode(to: encoder)
        case .accountHome(let record): try record.encode(to: encoder)
        case .accountFavorites(let record): try record.encode(to: encoder)
        case .accountApp(let record): try record.encode(to: encoder)
        case .accountDevice(let record): try record.encode(to: encoder)
        case .unknown: break
        }
    }
}
