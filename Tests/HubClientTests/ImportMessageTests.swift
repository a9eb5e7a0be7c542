import Foundation
import HubAPI
import Testing

/// The JSON of importing an accessory.
struct ImportMessageTests {
    @Test func theKeysOnTheWireStayTheSame() throws {
        let request = ImportAccessory(
            home: UUID(),
            deviceID: "00:11:22:33:44:55",
            accessoryKey: Data([1]),
            controllerID: "Other",
            controllerSecret: Data([2]),
            hosts: ["host"],
            port: 1,
            room: UUID(),
            isDryRun: true,
            removesOtherController: true
        )
        let keys: Set = [
            "home", "deviceID", "accessoryKey", "controllerID", "controllerSecret", "hosts", "port", "room",
            "isRehearsal", "takesOver",
        ]
        #expect(try Self.keys(request) == keys)
        let result = ImportedAccessory(outcome: .added, ids: [], removalFailure: "It doesn't respond.")
        #expect(try Self.keys(result) == ["outcome", "ids", "remains"])
    }

    private static func keys(_ value: some Encodable) throws -> Set<String> {
        let object = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(value))
        return Set(try #require(object as? [String: Any]).keys)
    }
}
