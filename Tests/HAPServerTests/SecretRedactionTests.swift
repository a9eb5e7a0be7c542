import AccessoryCheck
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

/// Tests that codes and keys are never revealed.
@Suite struct SecretRedactionTests {
    /// A key that is easy to find in text, in hexadecimal, base64 and as numbers.
    private static let seed = [UInt8](repeating: 0x4D, count: 32)
    private static let traces = [
        "314-15-926", "31415926", "4d4d4d4d", "4D4D4D4D", "TU1NTU1N", "77, 77, 77", "77 77 77", "84 85 49 78 84 85",
        "51 49 52 45 49 53",
    ]

    /// Returns the secrets in the printed forms of a value.
    private static func leaks(printing value: some Any) -> [String] {
        let texts = [String(describing: value), String(reflecting: value)]
        return traces.filter { trace in texts.contains { $0.contains(trace) } }
    }

    /// Returns the secrets in the printed forms of a value, or among the numbers in its dump.
    private static func leaks(_ value: some Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        let numbers = dumped.split { $0.isWhitespace || $0 == "-" }.joined(separator: " ")
        return leaks(printing: value) + traces.filter { dumped.contains($0) || numbers.contains($0) }
    }

    @Test func whatIsStoredAndConfiguredShowsNoSecret() throws {
        let (storage, credentials) = try Self.storage()
        var configuration = AccessoryServerConfiguration(category: .lightbulb, setupCode: credentials.setupCode)
        configuration.setupID = credentials.setupID
        let lamp = [TestAccessories.lamp()]
        let state = try StoredState(configuration, accessories: lamp, storage: storage)
        #expect(Self.leaks(credentials).isEmpty)
        #expect(Self.leaks(storage).isEmpty)
        #expect(Self.leaks(configuration).isEmpty)
        #expect(Self.leaks(state.credentials).isEmpty)
        #expect(Self.leaks(state.pairings).isEmpty)
        #expect(Self.leaks(state.attributes).isEmpty)
        let write = CharacteristicWrite(
            address: .on,
            value: .bool(true),
            controller: "C1",
            authorizationData: Self.seed,
            isRemote: false
        )
        #expect(Self.leaks(write).isEmpty)
        #expect(Self.leaks(PairingRegistry(state, storage: storage, now: { .now })).isEmpty)
    }

    @Test func aServerInUseShowsNoSecret() async throws {
        try await TestServer.run(storage: try Self.storage().0) { server in
            let connection = try await server.connect()
            let keys = try #require(LongTermKeyPair(seed: Self.seed))
            let controller = ControllerIdentity(pairingID: "C1", keyPair: keys)
            let accessory = try await connection.pair(controller, code: try SetupCode(TestServer.code))
            try await connection.verify(controller, accessory)
            #expect(Self.leaks(printing: server.server).isEmpty)
            #expect(Self.leaks(printing: await server.server.registry).isEmpty)
            #expect(Self.leaks(server.server.setupPayload).isEmpty)
            #expect(Self.leaks(server.server.identity).isEmpty)
            #expect(await Self.leaks(server.events).isEmpty)
        }
    }

    private static func storage() throws -> (MemoryStorage, StoredCredentials) {
        let keys = try #require(LongTermKeyPair(seed: Self.seed))
        let credentials = StoredCredentials(
            identity: AccessoryIdentity(deviceID: .random(), keyPair: keys),
            setupCode: try SetupCode(TestServer.code),
            setupID: .random()
        )
        let storage = MemoryStorage()
        try storage.save(credentials)
        try storage.save(StoredAttributes())
        try storage.save(StoredPairings())
        return (storage, credentials)
    }

    @Test func theTracesWouldBeFound() {
        #expect(!Self.leaks(Self.seed).isEmpty)
        #expect(!Self.leaks(["code": "314-15-926"]).isEmpty)
        #expect(!Self.leaks(Array("TU1NTU1N".utf8)).isEmpty)
    }
}
