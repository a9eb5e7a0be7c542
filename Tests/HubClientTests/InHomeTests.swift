import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Testing

/// Requests about a home, as they are on the wire.
struct InHomeTests {
    private static let home = UUID()

    private static func members<Request: HomeRequest & Codable>(_ request: Request) throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(InHome(home, request)))
        return try #require(json as? [String: Any])
    }

    @Test func aRequestAndItsHomeAreOneObject() throws {
        let (zone, room) = (UUID(), UUID())
        let members = try Self.members(AddRoomToZone(room: room, zone: zone))
        let expected = ["home": Self.home.uuidString, "zone": zone.uuidString, "room": room.uuidString]
        #expect(members as? [String: String] == expected)
    }

    @Test func theMembersAreCalledAsTheyAlwaysWere() throws {
        let (id, set) = (UUID(), UUID())
        let power = CharacteristicIdentity(accessory: id, characteristic: id, type: HAPType.Characteristic.on)
        func names(_ request: some HomeRequest & Codable) throws -> Set<String> { Set(try Self.members(request).keys) }
        #expect(try names(AddRoom(name: "Hall")) == ["home", "name"])
        #expect(try names(RemoveRoom(id)) == ["home", "id"])
        #expect(try names(RenameRoom(id, name: "Hall")) == ["home", "id", "name"])
        #expect(try names(MoveAccessory(id, room: id)) == ["home", "id", "room"])
        #expect(try names(RenameService(accessory: id, iid: 1, name: "A")) == ["home", "accessory", "iid", "name"])
        #expect(try names(SetAssociatedType(nil, accessory: id, iid: 1)) == ["home", "accessory", "iid"])
        #expect(
            try names(AddAction(power, value: .bool(true), actionSet: set))
                == ["home", "characteristic", "value", "actionSet"]
        )
        #expect(
            try names(SetActionValue(.bool(true), action: id, actionSet: set)) == ["home", "id", "value", "actionSet"]
        )
        #expect(try names(RemoveAction(id, actionSet: set)) == ["home", "id", "actionSet"])
        #expect(try names(AddOwnedActionSet(trigger: id)) == ["home", "trigger"])
        #expect(try names(EnableTrigger(id, true)) == ["home", "id", "isEnabled"])
        #expect(try names(AddActionSetToTrigger(actionSet: set, trigger: id)) == ["home", "actionSet", "trigger"])
        #expect(try names(SetRole(.guest, of: id)) == ["home", "id", "role"])
    }

    @Test func theHubChoosesTheIDOfARoom() throws {
        let json = Data(#"{"home":"\#(Self.home)","id":"\#(UUID())","name":"Hall"}"#.utf8)
        let decoded = try JSONDecoder().decode(InHome<AddRoom>.self, from: json)
        #expect(decoded == InHome(Self.home, AddRoom(name: "Hall")))
        #expect(try Self.members(AddRoom(id: UUID(), name: "Hall"))["id"] == nil)
    }

    @Test func aClientMayChooseTheIDOfATrigger() throws {
        let definition = TriggerDefinition.timer(TimerSchedule(fireDate: Date(timeIntervalSince1970: 60)))
        let request = InHome(Self.home, AddTrigger(id: UUID(), name: "Noon", definition))
        #expect(try JSONDecoder().decode(InHome<AddTrigger>.self, from: JSONEncoder().encode(request)) == request)
    }
}
