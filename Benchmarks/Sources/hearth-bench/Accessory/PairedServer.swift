import HAP
import HAPCatalog

/// A server with which the bench has a pairing, and what is done with it again and again.
final class PairedServer {
    let server: LampServer
    private let code: SetupCode
    private let controller: ControllerIdentity
    private var accessory: PairedAccessory
    /// The On characteristics of the lamps.
    private(set) var lamps: [CharacteristicID] = []
    /// The lamps that are on.
    private var lit: Set<CharacteristicID> = []

    /// Pairs with a server that was never paired.
    ///
    /// - Parameter setupTime: What the server used for that, its verifier included.
    init(_ server: LampServer, code: SetupCode, setupTime: inout Samples) throws {
        self.server = server
        self.code = code
        guard let id = PairingID("7A8C5F3E-0C4B-4E1D-9C55-BE4C00000001") else { throw BenchFailure("no id") }
        let controller = ControllerIdentity(pairingID: id, keyPair: .random())
        self.controller = controller
        accessory = try Self.setUp(server, controller, code, &setupTime)
        let connection = try verified()
        let body = try connection.ask(connection.accessories).body
        let database = try AttributeDatabase(decoding: body)
        guard database.accessories.count == Contestant.lamps + 1 else {
            throw BenchFailure("\(server.contestant) has \(database.accessories.count) accessories")
        }
        for accessory in database.accessories {
            for characteristic in accessory.services.flatMap(\.characteristics)
            where characteristic.type == HAPType.Characteristic.on {
                lamps.append(CharacteristicID(aid: accessory.aid, iid: characteristic.iid))
            }
        }
    }

    /// A lamp that is somewhere in the middle of the list.
    var lamp: CharacteristicID { lamps[lamps.count / 2] }

    /// The value that the next write to a lamp shall write: every write changes something.
    func nextValue(of lamp: CharacteristicID) -> CharacteristicValue {
        .bool(lit.remove(lamp) == nil && lit.insert(lamp).inserted)
    }

    func verified() throws -> ControllerConnection {
        let connection = try ControllerConnection(port: server.port)
        try verify(connection)
        return connection
    }

    func verify(_ connection: ControllerConnection) throws {
        try connection.verify(controller, accessory)
    }

    /// Removes the pairing and pairs anew.
    func pairAgain(setupTime: inout Samples) throws {
        try verified().removePairing(of: controller)
        accessory = try Self.setUp(server, controller, code, &setupTime)
    }

    private static func setUp(
        _ server: LampServer,
        _ controller: ControllerIdentity,
        _ code: SetupCode,
        _ setupTime: inout Samples
    ) throws -> PairedAccessory {
        let connection = try ControllerConnection(port: server.port)
        let before = server.clock.settled()
        let accessory = try connection.pair(controller, code: code)
        setupTime.add((server.clock.settled() - before).milliseconds)
        return accessory
    }
}
