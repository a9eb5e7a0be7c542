import AccessoryPeers
import Foundation
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

@Suite struct StorageTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var path: String { folder.path + "accessory" }

    private func start(_ configuration: AccessoryServerConfiguration = .init(category: .lightbulb)) throws
        -> AccessoryServer
    {
        try AccessoryServer(
            configuration,
            accessories: [TestAccessories.lamp()],
            storage: try FolderStorage(folder: path)
        )
    }

    @Test func theFolderAndItsFilesAreTheOwnersAlone() async throws {
        await (try start()).stop()
        #expect(try folder.mode("accessory") == 0o700)
        let names = ["attributes.json", "credentials.json", "lock", "pairings.json"]
        #expect(try folder.names("accessory") == names)
        for name in names { #expect(try folder.mode("accessory/" + name) == 0o600) }
    }

    @Test func identityAndCodeSurviveARestart() async throws {
        let first = try start()
        await first.stop()
        let second = try start()
        await second.stop()
        #expect(first.identity == second.identity)
        #expect(first.setupPayload == second.setupPayload)
    }

    @Test func twoServersCannotUseOneFolder() async throws {
        let first = try start()
        let error = #expect(throws: AccessoryServerError.self) { _ = try start() }
        #expect(error?.code == .storageLocked)
        #expect(error?.reason.contains(path) == true)
        await first.stop()
        await (try start()).stop()
    }

    @Test(arguments: ["attributes.json", "credentials.json", "pairings.json"])
    func aTornFileStopsTheStartAndIsLeftAsItIs(_ name: String) async throws {
        await (try start()).stop()
        let text = try folder.read("accessory/" + name)
        for torn in ["", "\0\0\0\0", String(text.prefix(text.count / 2)), "{}"] {
            try folder.write(torn, "accessory/" + name)
            let error = #expect(throws: AccessoryServerError.self) { _ = try start() }
            #expect(error?.code == .storageUnreadable)
            #expect(error?.reason.contains(name) == true)
            #expect(try folder.read("accessory/" + name) == torn)
        }
        try folder.write(text, "accessory/" + name)
        await (try start()).stop()
    }

    @Test(arguments: ["attributes.json", "credentials.json", "pairings.json"])
    func aMissingFileStopsTheStart(_ name: String) async throws {
        await (try start()).stop()
        let storage = try FolderStorage(folder: path)
        try storage.save(StoredPairings(pairings: TestServer.pairings))
        storage.release()
        try folder.remove("accessory/" + name)
        let names = try folder.names("accessory")
        let error = #expect(throws: AccessoryServerError.self) { _ = try start() }
        #expect(error?.code == .storageUnreadable)
        #expect(error?.reason.contains(name) == true)
        #expect(try folder.names("accessory") == names)
    }

    @Test func aNewerFormStopsTheStart() async throws {
        await (try start()).stop()
        let text = try folder.read("accessory/pairings.json").replacing(#""format" : 1"#, with: #""format" : 2"#)
        try folder.write(text, "accessory/pairings.json")
        let error = #expect(throws: AccessoryServerError.self) { _ = try start() }
        #expect(error?.reason.contains("newer version") == true)
    }

    @Test func anErrorNeverTellsASecret() async throws {
        let server = try start()
        await server.stop()
        let text = try folder.read("accessory/credentials.json").replacing("XX", with: "")
        try folder.write(text.replacing(#""setupID""#, with: #""other""#), "accessory/credentials.json")
        let error = #expect(throws: AccessoryServerError.self) { _ = try start() }
        #expect(error?.reason.contains("setupID") == true)
        #expect(error?.reason.contains(server.setupCode.dashed) == false)
    }

    @Test func aFirstStartThatWasCutOffBeginsAnew() async throws {
        await (try start()).stop()
        try folder.remove("accessory/credentials.json")
        await (try start()).stop()
    }

    @Test func whatACrashLeftOfAWriteIsNoObstacle() async throws {
        let storage = try FolderStorage(folder: path)
        try folder.write("{", "accessory/pairings.json.new")
        try storage.write([1, 2, 3], to: .pairings)
        #expect(try storage.read(.pairings) == [1, 2, 3])
        #expect(try folder.names("accessory") == ["lock", "pairings.json"])
    }

    @Test func aReleasedStorageIsNotWritten() throws {
        let storage = try FolderStorage(folder: path)
        storage.release()
        #expect(throws: AccessoryServerError.self) { try storage.write([1], to: .pairings) }
        #expect(try folder.names("accessory") == ["lock"])
    }

    @Test func theSetupCodeOfTheConfigurationIsKept() async throws {
        let code = try SetupCode("314-15-926")
        await (try start(.init(category: .lightbulb, setupCode: code))).stop()
        let server = try start()
        await server.stop()
        #expect(server.setupCode == code)
    }

    @Test func anotherDeviceIDIsAnotherAccessory() async throws {
        let id = try #require(DeviceID("11:22:33:44:55:66"))
        await (try start(.init(category: .lightbulb, deviceID: id))).stop()
        let other = DeviceID("11:22:33:44:55:67")
        let error = #expect(throws: AccessoryServerError.self) {
            _ = try start(.init(category: .lightbulb, deviceID: other))
        }
        #expect(error?.code == .invalidConfiguration)
        let server = try start()
        await server.stop()
        #expect(server.deviceID == id)
    }

    @Test func aFactoryResetForgetsEverythingButTheCode() async throws {
        var configuration = AccessoryServerConfiguration(category: .lightbulb)
        let first = try start(configuration)
        await first.stop()
        let storage = try FolderStorage(folder: path)
        try storage.save(StoredPairings(pairings: TestServer.pairings, failedTries: 100))
        var attributes = try #require(try storage.load(StoredAttributes.self))
        attributes.adopt(StructureDigest([1]))
        try storage.save(attributes)
        storage.release()

        configuration.isFactoryReset = true
        let second = try start(configuration)
        #expect(await !second.isPaired)
        await second.stop()
        #expect(second.deviceID != first.deviceID)
        #expect(second.identity.keyPair.publicKey != first.identity.keyPair.publicKey)
        #expect(second.setupPayload == first.setupPayload)
        #expect(await second.configurationNumber == 1)
        let reset = try FolderStorage(folder: path)
        #expect(try reset.load(StoredPairings.self)?.failedTries == 0)
        reset.release()

        configuration.isFactoryReset = false
        let third = try start(configuration)
        await third.stop()
        #expect(third.identity == second.identity)
    }

    @Test func aFactoryResetKeepsTheDeviceIDOfTheConfiguration() async throws {
        let id = try #require(DeviceID("11:22:33:44:55:66"))
        let first = try start(.init(category: .lightbulb, deviceID: id))
        await first.stop()
        let second = try start(.init(category: .lightbulb, deviceID: id, isFactoryReset: true))
        await second.stop()
        #expect(second.deviceID == id)
        #expect(second.identity.keyPair.publicKey != first.identity.keyPair.publicKey)
    }

    @Test func aFactoryResetThatIsCutOffLeavesNobodyPairedWithKeysThatAreGone() async throws {
        // The disk is full after this many documents.
        for count in 0..<3 {
            let storage = PowerLossStorage(TestServer.paired())
            storage.remaining = count
            let credentials = try storage.load(StoredCredentials.self)
            let configuration = AccessoryServerConfiguration(category: .lightbulb, isFactoryReset: true)
            let accessories = [TestAccessories.lamp()]
            #expect(throws: AccessoryServerError.self) {
                _ = try AccessoryServer(configuration, accessories: accessories, storage: storage)
            }
            #expect(try storage.load(StoredCredentials.self) == credentials)
            #expect(try storage.load(StoredPairings.self)?.pairings == (count == 0 ? TestServer.pairings : []))
            storage.remaining = 3
            let server = try AccessoryServer(configuration, accessories: accessories, storage: storage)
            #expect(await !server.isPaired)
            #expect(server.identity != credentials?.identity)
        }
    }

    @Test func theFolderIsFreeOnceReleasedWhoeverStillHasItsDescriptor() throws {
        let storage = try FolderStorage(folder: path)
        let lock = try #require(
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).first {
                number in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
                return target == path + "/lock"
            }
        )
        // Like a child process that has the descriptor until it executes the new program.
        let copy = dup(lock)
        defer { close(copy) }
        storage.release()
        try FolderStorage(folder: path).release()
    }

    @Test(arguments: ["attributes.json", "credentials.json", "pairings.json"])
    func wheneverAFileWasTornTheStartStops(_ name: String) async throws {
        await (try start()).stop()
        let paired = try FolderStorage(folder: path)
        try paired.save(StoredPairings(pairings: TestServer.pairings))
        paired.release()
        let text = try folder.read("accessory/" + name)
        let end = text.utf8.count - "}\n".utf8.count
        for count in 0...end {
            try folder.write(String(decoding: Array(text.utf8).prefix(count), as: UTF8.self), "accessory/" + name)
            let error = #expect(throws: AccessoryServerError.self) { _ = try start() }
            #expect(error?.code == .storageUnreadable)
        }
        try folder.write(text, "accessory/" + name)
        let server = try start()
        #expect(await server.isPaired)
        await server.stop()
    }

    @Test func aFileThatCannotBeReadStopsTheStart() async throws {
        await (try start()).stop()
        try folder.remove("accessory/pairings.json")
        try FileManager.default.createDirectory(
            atPath: folder.path + "accessory/pairings.json",
            withIntermediateDirectories: false
        )
        let error = #expect(throws: AccessoryServerError.self) { _ = try start() }
        #expect(error?.code == .storageUnreadable)
        #expect(error?.reason.contains("pairings.json") == true)
    }

    @Test func aFolderThatCannotBeMadeIsNamed() {
        let error = #expect(throws: AccessoryServerError.self) {
            _ = try FolderStorage(folder: folder.path + "none/accessory")
        }
        #expect(error?.code == .storageUnwritable)
        #expect(error?.reason.contains("No such file") == true)
    }
}
