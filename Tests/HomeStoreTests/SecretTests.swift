import Foundation
import HomeModel
import HomeStore
import Testing

@Suite struct SecretTests {
    private let folder: TemporaryFolder
    private let store: HomeStore

    init() async throws {
        folder = try TemporaryFolder()
        store = try await HomeStore.open(at: folder.data)
    }

    /// Creates a log.
    private func newLog() async throws -> LogID {
        var log = TestLog()
        try await store.append([log.next()])
        return log.log
    }

    @Test func aSecretOfALogIsRefusedOnceTheLogIsGone() async throws {
        var home = TestLog()
        var account = TestLog()
        let (key, other) = (SecretKey(kind: .pairing, log: home.log, name: "A"), SecretKey(kind: .pairing, log: nil))
        try await store.setSecret([9], for: other)
        #expect(await refusal { try await store.setSecret([1], for: key, removing: [other]) } == .noSuchLog)
        #expect(await refusal { try await store.setSecretIfAbsent([1], for: key) } == .noSuchLog)
        #expect(try await store.secret(other) == [9])
        try await store.append([home.next(), account.next()])
        try await store.setSecret([1], for: key, removing: [other])
        #expect(try await store.secret(key) == [1])
        #expect(try await store.secret(other) == nil)
        try await store.append([account.next()], removing: [home.log])
        #expect(await refusal { try await store.setSecret([1], for: key) } == .noSuchLog)
        #expect(try await store.secret(key) == nil)
    }

    @Test func thePairingsOfARemovedLogBecomeOwedRemovals() async throws {
        var home = TestLog()
        var account = TestLog()
        try await store.append([home.next(), account.next()])
        for (name, value) in [("A", 1 as UInt8), ("B", 2)] {
            try await store.setSecret([value], for: SecretKey(kind: .pairing, log: home.log, name: name))
        }
        try await store.setSecret([3], for: SecretKey(kind: .controllerIdentity, log: home.log))
        try await store.setSecret([4], for: SecretKey(kind: .scheduledRemoval, log: nil, name: "B"))
        try await store.append([account.next()], removing: [home.log])
        let scheduled = try await store.secrets(.scheduledRemoval, of: nil)
        #expect(scheduled.map(\.name) == ["A", "B"])
        #expect(try await store.secret(scheduled[0]) == [1])
        #expect(try await store.secret(scheduled[1]) == [2])
        #expect(try await store.secrets(.pairing, of: home.log).isEmpty)
        #expect(try await store.secrets(.controllerIdentity, of: home.log).isEmpty)
    }

    @Test func aSecretIsKeptReplacedAndRemoved() async throws {
        let key = SecretKey(kind: .pairing, log: try await newLog(), name: "AA:BB")
        #expect(try await store.secret(key) == nil)
        try await store.setSecret([1, 2, 3], for: key)
        #expect(try await store.secret(key) == [1, 2, 3])
        try await store.setSecret([], for: key)
        #expect(try await store.secret(key) == [])
        try await store.close()
        let again = try await HomeStore.open(at: folder.data)
        #expect(try await again.secret(key) == [])
        try await again.removeSecret(key)
        try await again.removeSecret(key)
        #expect(try await again.secret(key) == nil)
        try await again.close()
    }

    @Test func ofManyWhoKeepASecretAtOnceOneStoresItAndAllGetThat() async throws {
        let key = SecretKey(kind: .controllerIdentity, log: try await newLog())
        let stored = try await withThrowingTaskGroup(of: [UInt8].self) { [store] group in
            for number in 0..<UInt8(8) { group.addTask { try await store.setSecretIfAbsent([number], for: key) } }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(stored.count == 1)
        #expect(try await store.secret(key) == stored.first)
        #expect(try await store.setSecretIfAbsent([9], for: key) == stored.first)
        try await store.close()
    }

    @Test func secretsAreToldApartByKindLogAndName() async throws {
        let (home, other) = (try await newLog(), try await newLog())
        let keys = [
            SecretKey(kind: .pairing, log: home, name: "B"), SecretKey(kind: .pairing, log: home, name: "A"),
            SecretKey(kind: .pairing, log: nil, name: "A"), SecretKey(kind: .pairing, log: other, name: "A"),
            SecretKey(kind: .pendingPairing, log: home, name: "A"), SecretKey(kind: .controllerIdentity, log: home),
        ]
        for (index, key) in keys.enumerated() { try await store.setSecret([UInt8(index)], for: key) }
        for (index, key) in keys.enumerated() { #expect(try await store.secret(key) == [UInt8(index)]) }
        #expect(try await store.secrets(.pairing, of: home) == [keys[1], keys[0]])
        #expect(try await store.secrets(.pairing, of: nil) == [keys[2]])
        #expect(try await store.secrets(.scheduledRemoval, of: home) == [])
    }

    @Test func aRemovedSecretIsNoLongerInTheFiles() async throws {
        let secret = Array("the-long-term-secret-key-of-a-home".utf8)
        let key = SecretKey(kind: .controllerIdentity, log: nil)
        try await store.setSecret(secret, for: key)
        #expect(try Self.files(folder).contains { $0.firstRange(of: Data(secret)) != nil })
        try await store.removeSecret(key)
        try await store.close()
        #expect(try Self.files(folder).allSatisfy { $0.firstRange(of: Data(secret)) == nil })
    }

    @Test func aHubThatHasLeftHasNoSecretsInItsFiles() async throws {
        let texts = ["the-key-of-the-hub-itself-as-a-seed", "the-pairing-with-an-accessory-of-it"]
        let secrets = texts.map { Array($0.utf8) }
        try await store.setSecret(secrets[0], for: SecretKey(kind: .hubKey, log: nil))
        try await store.setSecret(secrets[1], for: SecretKey(kind: .scheduledRemoval, log: nil, name: "11:22"))
        try await store.removeSecrets()
        try await store.close()
        for secret in secrets {
            #expect(try Self.files(folder).allSatisfy { $0.firstRange(of: Data(secret)) == nil })
        }
    }

    @Test func metadataIsKeptReplacedAndRemoved() async throws {
        try await store.setMetadata("system", for: .clock)
        try await store.setMetadata("manual", for: .clock)
        try await store.setMetadata("u", for: .hubUser)
        try await store.close()
        let again = try await HomeStore.open(at: folder.data)
        #expect(try await again.metadata(.clock) == "manual")
        try await again.setMetadata(nil, for: .clock)
        #expect(try await again.metadata(.clock) == nil)
        #expect(try await again.metadata(.hubUser) == "u")
        try await again.close()
    }

    private static func files(_ folder: TemporaryFolder) throws -> [Data] {
        try FileManager.default.contentsOfDirectory(at: folder.data, includingPropertiesForKeys: nil)
            .map { try Data(contentsOf: $0) }
    }
}
