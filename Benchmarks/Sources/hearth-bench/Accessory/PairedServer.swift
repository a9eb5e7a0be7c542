import HAP
import HAPCatalog

/// A server that the benchmark is paired with, and the repeated operations on it.
final class PairedServer {
    let server: LampServer
    private let code: SetupCode
    private let controller: ControllerIdentity
    private var accessory: PairedAccessory
    /// The On characteristics of the lamps.
    private(set) var lamps: [CharacteristicID] = []
    /// The lamps that are on.
    private var lit: Set<CharacteristicID> = []

    /// Pairs with a server for the first time.
    ///
    /// - Parameter setupTime: Receives the server's processor time, including computing the verifier.
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

    /// A lamp in the middle of the list.
    var lamp: CharacteristicID { lamps[lamps.count / 2] }

    /// Returns the next value to write to a lamp. Every write changes the value.
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

    /// Removes the pairing and pairs again.
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
