import Foundation
import HAPCatalog
import HomeModel
import HomeText
import HubAPI

/// The last form of a guided setup: the names and rooms of new accessories, and the names and associated types of their
/// services that are tiles, and whether these become favorites. Each field suggests the default.
struct SetupForm: Sendable {
    /// The subject of a field.
    fileprivate enum Subject: Sendable {
        case name(AccessoryRecord)
        case room(AccessoryRecord)
        case serviceName(AccessoryRecord, ServiceShape)
        case associatedType(AccessoryRecord, ServiceShape)
        case favorite(AccessoryRecord, ServiceShape)
    }

    /// The answer for a service without an associated type.
    private static let itself = "itself"
    private static let yes = QuestionField.Choice("yes", "Yes")
    private static let no = QuestionField.Choice("no", "No")

    /// The human-readable question.
    let text: String
    /// The device ID of the accessories' server.
    let server: String
    /// The fields.
    let fields: [QuestionField]
    private let subjects: [String: Subject]
    private let candidates: [AccessoryCandidate]

    /// Creates the form for an addition.
    ///
    /// - Parameters:
    ///   - addition: The request that adds the accessories.
    ///   - proposal: The home with the accessories added.
    /// - Returns: `nil` if the addition adds nothing.
    init?(_ addition: AddAccessories, _ proposal: Home) {
        let server = addition.server
        let records = proposal.accessories(onServer: server)
        guard let primary = records.first else { return nil }
        self.server = server
        candidates = addition.candidates
        text =
            records.count == 1
            ? "Choose a name and a room for “\(primary.name)”."
            : "Choose names and rooms for “\(primary.name)” and its bridged accessories (\(records.count - 1))."
        let rooms =
            [QuestionField.Choice(proposal.defaultRoom.uuidString, Home.defaultRoomName)]
            + proposal.rooms.map { QuestionField.Choice($0.id.uuidString, $0.name) }
        var fields: [QuestionField] = []
        var subjects: [String: Subject] = [:]
        func add(_ field: QuestionField, _ subject: Subject) {
            var field = field
            field.subject = subject.described
            fields.append(field)
            subjects[field.id] = subject
        }
        for record in records {
            let what = records.count == 1 ? "" : " of “\(record.name)”"
            add(QuestionField("\(record.aid).name", "Name\(what)", suggestion: record.name), .name(record))
            let room = record.room.uuidString
            add(
                QuestionField("\(record.aid).room", "Room\(what)", suggestion: room, choices: rooms, acceptsNew: true),
                .room(record)
            )
            let services = proposal.services(of: record).tiles
            for service in services {
                let id = "\(record.aid).\(service.iid)"
                if services.count > 1 { add(Self.nameField(id, service, record), .serviceName(record, service)) }
                if let field = Self.typeField(id, service, record) { add(field, .associatedType(record, service)) }
                let isOnlyOne = records.count == 1 && services.count == 1
                add(Self.favoriteField(id, service, record, isOnlyOne: isOnlyOne), .favorite(record, service))
            }
        }
        self.fields = fields
        self.subjects = subjects
    }

    /// Returns the requests that add the accessories with the given answers. A room that isn't one of the choices is added.
    func requests(_ answers: [String: String]) throws(HubError) -> [any HomeRequest] {
        var name: String?
        var room: UUID?
        var newRooms: [AddRoom] = []
        var rest: [any HomeRequest] = []
        var favorites: [ServiceIdentity] = []
        for field in fields {
            guard let answer = answers[field.id], let subject = subjects[field.id] else { continue }
            switch subject {
            case .name(let record) where record.bridge == nil:
                name = answer
            case .name(let record):
                rest.append(RenameAccessory(record.id, name: answer))
            case .room(let record):
                let chosen = UUID(uuidString: answer) ?? Self.room(named: answer, &newRooms)
                if record.bridge == nil { room = chosen }
                if chosen != room { rest.append(MoveAccessory(record.id, room: chosen)) }
            case .serviceName(let record, let service):
                guard answer != Home.name(of: service, in: record) else { continue }
                rest.append(RenameService(accessory: record.id, iid: service.iid, name: answer))
            case .associatedType(let record, let service):
                guard answer != Self.itself, let type = HAPType(answer) else { continue }
                rest.append(SetAssociatedType(type, accessory: record.id, iid: service.iid))
            case .favorite(let record, let service):
                guard answer == Self.yes.value else { continue }
                let id = Home.serviceID(of: service.iid, in: record)
                favorites.append(ServiceIdentity(accessory: record.id, service: id))
            }
        }
        let addition = AddAccessories(candidates, server: server, name: name, room: room, favorites: favorites)
        return newRooms + [addition] + rest
    }

    /// Returns the ID of a new room, which several accessories can have.
    private static func room(named name: String, _ rooms: inout [AddRoom]) -> UUID {
        let known = rooms.first { $0.name.lowercased() == name.lowercased() }?.id
        if let known { return known }
        let id = UUID()
        rooms.append(AddRoom(id: id, name: name))
        return id
    }

    private static func nameField(_ id: String, _ service: ServiceShape, _ record: AccessoryRecord) -> QuestionField {
        let name = Home.name(of: service, in: record)
        return QuestionField("\(id).name", "Name of the \(service.kind) “\(name)”", suggestion: name)
    }

    private static func typeField(_ id: String, _ service: ServiceShape, _ record: AccessoryRecord) -> QuestionField? {
        let types = associatedTypes(of: service.type)
        guard !types.isEmpty else { return nil }
        return QuestionField(
            "\(id).type",
            "Type of the \(service.kind) “\(Home.name(of: service, in: record))”",
            suggestion: itself,
            choices: [QuestionField.Choice(itself, service.kind)] + types
        )
    }

    private static func favoriteField(
        _ id: String,
        _ service: ServiceShape,
        _ record: AccessoryRecord,
        isOnlyOne: Bool
    ) -> QuestionField {
        let name = isOnlyOne ? "" : " “\(Home.name(of: service, in: record))”"
        let suggestion = ServiceKind(service.type).isSuggestedFavorite ? yes : no
        return QuestionField(
            "\(id).favorite",
            "Favorite\(name)",
            suggestion: suggestion.value,
            choices: [yes, no]
        )
    }

    /// Returns the types that a user can associate with a service, so that apps show and find it as that type.
    private static func associatedTypes(of type: HAPType) -> [QuestionField.Choice] {
        let types: [HAPType] =
            switch type {
            case HAPType.Service.switch, HAPType.Service.outlet: [HAPType.Service.lightbulb, HAPType.Service.fan]
            case HAPType.Service.contactSensor:
                [HAPType.Service.door, HAPType.Service.window, HAPType.Service.garageDoorOpener]
            default: []
            }
        return types.map { QuestionField.Choice($0.longForm, Language.english.name(of: ServiceKind($0))) }
    }
}

extension SetupForm.Subject {
    /// The subject in the form that clients receive.
    fileprivate var described: QuestionField.Subject {
        switch self {
        case .name(let record): .init(.name, accessory: record.id, reportedName: record.reportedName)
        case .room(let record): .init(.room, accessory: record.id, reportedName: record.reportedName)
        case .serviceName(let record, let service): Self.subject(.name, record, service)
        case .associatedType(let record, let service): Self.subject(.type, record, service)
        case .favorite(let record, let service): Self.subject(.favorite, record, service)
        }
    }

    private static func subject(
        _ property: QuestionField.Subject.Property,
        _ record: AccessoryRecord,
        _ service: ServiceShape
    ) -> QuestionField.Subject {
        QuestionField.Subject(
            property,
            accessory: record.id,
            reportedName: record.reportedName,
            service: service.iid,
            kind: ServiceKind(service.type).rawValue
        )
    }
}

extension ServiceShape {
    /// The human-readable name of the service's kind.
    fileprivate var kind: String { Language.english.name(of: ServiceKind(type)) }
}
