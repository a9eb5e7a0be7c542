import AccessoryCheck
import HAP
import HAPCatalog

@testable import ControllerCheck

/// A controller of a test that does one thing after the other, right or wrong.
struct ScriptedController: Sendable {
    let place: ScenarioPlace
    let accessory: PairedAccessory
    let discovery: TestDiscovery?

    /// The characteristics of the scenarios' accessory.
    struct IDs {
        let on: CharacteristicID
        let brightness: CharacteristicID
        /// The power that takes only timed writes.
        let timed: CharacteristicID
        /// A characteristic that can only be read.
        let manufacturer: CharacteristicID
    }

    /// Connects.
    func connect() async throws -> ControllerConnection {
        try await ControllerConnection.open(host: place.host, port: place.port, timeout: .seconds(120))
    }

    /// Connects, and verifies as the controller that is paired.
    func session() async throws -> ControllerConnection {
        let connection = try await connect()
        try await connection.verify(TestRun.admin, accessory)
        return connection
    }

    /// Connects and verifies as soon as an accessory that restarts lets it.
    func sessionAfterRestart() async throws -> ControllerConnection {
        while true {
            if let session = try? await session() { return session }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Lists the accessories.
    func ids(_ connection: ControllerConnection) async throws -> IDs {
        let body = try await connection.get("/accessories").body
        var found: [HAPType: CharacteristicID] = [:]
        for accessory in try AttributeDatabase(decoding: body).accessories where accessory.aid > 1 {
            for service in accessory.services {
                for characteristic in service.characteristics {
                    let isTimed = characteristic.permissions.contains(.timedWrite)
                    let key = isTimed ? HAPType.Service.switch : characteristic.type
                    found[key] = CharacteristicID(aid: accessory.aid, iid: characteristic.iid)
                }
            }
        }
        let none = CharacteristicID(aid: 0, iid: 0)
        return IDs(
            on: found[HAPType.Characteristic.on] ?? none,
            brightness: found[HAPType.Characteristic.brightness] ?? none,
            timed: found[HAPType.Service.switch] ?? none,
            manufacturer: found[HAPType.Characteristic.manufacturer] ?? none
        )
    }

    /// Writes the members of an entry.
    @discardableResult
    func write(
        _ id: CharacteristicID,
        _ members: String,
        _ more: String = "",
        on connection: ControllerConnection
    ) async throws -> HTTPResponse {
        try await connection.put(
            "/characteristics",
            #"{"characteristics":[{"aid":\#(id.aid),"iid":\#(id.iid),\#(members)}]\#(more)}"#
        )
    }

    /// Reads a characteristic.
    @discardableResult
    func read(_ id: CharacteristicID, on connection: ControllerConnection) async throws -> HTTPResponse {
        try await connection.get("/characteristics?id=\(id)")
    }

    /// Sends a request, or copies of it at once, without regard to what the accessory sends.
    func send(_ request: HTTPRequest, times: Int = 1, on connection: ControllerConnection) async throws {
        try await connection.send((0..<times).flatMap { _ in request.encoded() })
    }

    /// A read of a characteristic.
    func readRequest(_ id: CharacteristicID) -> HTTPRequest {
        HTTPRequest(.get, "/characteristics?id=\(id)", host: place.host)
    }
}
