import Foundation
import HAP
import HomeIdentity
import PeerProcess
import Testing

@testable import HomeHub

/// What one hub tells another of itself, as bytes.
@Suite struct HubIntroductionTests {
    private static func controller() -> HubIntroduction.Controller {
        let identity = IdentityKey().controller(of: UUID())
        return .init(home: UUID(), pairingID: identity.pairingID, publicKey: identity.keyPair.publicKey)
    }

    private static func introduction(controllers: Int = 1, servers: Int = 1, addresses: Int = 1) -> HubIntroduction {
        let (controller, key) = (controller(), LongTermKeyPair.random().publicKey)
        var controllers = [HubIntroduction.Controller](repeating: controller, count: controllers)
        for index in controllers.indices { controllers[index].home = UUID() }
        return HubIntroduction(
            list: nil,
            addresses: (0..<addresses).compactMap { _ in HubAddress(ip: [127, 0, 0, 1], port: 4_711) },
            controllers: controllers,
            servers: (0..<servers).map { _ in .init(home: UUID(), deviceID: .random(), publicKey: key) }
        )
    }

    @Test func itIsReadAsItWasWritten() throws {
        let member = HubMember(id: UUID(), key: IdentityKey().publicKey, box: BoxKey().publicBox)
        var introduction = Self.introduction(controllers: 2, servers: 3, addresses: 2)
        introduction.list = Data(SignedHubList(HubList(founder: member), by: IdentityKey()).bytes)
        #expect(HubIntroduction(introduction.bytes) == introduction)
        let empty = Self.introduction(controllers: 0, servers: 0, addresses: 0)
        #expect(HubIntroduction(empty.bytes) == empty)
    }

    @Test func itHasAsMuchAsFitsAndMoreIsRefused() throws {
        let (controllers, servers) = (ControllerDuties.maximumControllers, HubIntroduction.maximumServers)
        let full = Self.introduction(controllers: controllers, servers: servers, addresses: 8)
        #expect(HubIntroduction(full.bytes) == full)
        let over = Self.introduction(controllers: controllers + 1, servers: servers + 1, addresses: 9)
        #expect(over.controllers.count == controllers && over.servers.count == servers && over.addresses.count == 8)
        var more = full
        more.controllers.append(Self.controller())
        #expect(HubIntroduction(more.bytes) == nil)
        more = full
        more.servers.append(Self.introduction().servers[0])
        #expect(HubIntroduction(more.bytes) == nil)
        more = full
        more.addresses.append(full.addresses[0])
        #expect(HubIntroduction(more.bytes) == nil)
    }

    @Test func nothingIsToldTwice() throws {
        var introduction = Self.introduction(controllers: 2, servers: 2)
        introduction.controllers[1].home = introduction.controllers[0].home
        #expect(HubIntroduction(introduction.bytes) == nil)
        introduction = Self.introduction(controllers: 2, servers: 2)
        introduction.servers[1].deviceID = introduction.servers[0].deviceID
        #expect(HubIntroduction(introduction.bytes) == nil)
        #expect(HubIntroduction(Array("{}".utf8)) == nil)
        #expect(HubIntroduction([]) == nil)
    }

    @Test func thePageHasItsLimits() throws {
        let page = try PeerPython.packageRoot().appending(path: "Documentation/TwoHubs.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("| `maximumAddresses` | \(HubIntroduction.maximumAddresses) |"))
        #expect(text.contains("| `maximumServers` | \(HubIntroduction.maximumServers) |"))
    }
}
