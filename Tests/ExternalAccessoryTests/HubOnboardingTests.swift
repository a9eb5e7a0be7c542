import AccessorySimulator
import DNSSD
import Foundation
import HAP
import HAPServer
import HomeHub
@testable import HomeKitTesting
import HomeModel
import HubAPI
import PeerProcess
import Testing
import WirelessSetup

/// The hub brings simulated accessories onto the network.
struct HubOnboardingTests {
    private static func refusal(_ body: () async throws -> Void) async throws -> String? {
        do {
            try await body()
            return nil
        } catch let error as HubError {
            return error.code.rawValue
        }
    }

    @Test func anAccessoryIsConfiguredAndThenAddedToAHome() async throws {
        try await OnboardingFixture.with { fixture in
            try await fixture.withLamp { simulator in
                let client = try await fixture.client()
                let home = try await client.call(HubMethods.addHome, AddHome(name: "My Home")).id
                let lamp = try await client.find()
                #expect(lamp.manufacturer == "Maker" && lamp.supports == ["homeKit"])
                #expect(lamp.network == "Lamp Setup")
                // It isn't in the home's network, so it can't be added.
                let running = try #require(await simulator.runningAccessory("SN-Lamp"))
                #expect(running.port == 0)
                let early = AddAccessory(home: home, deviceID: lamp.macAddress, code: running.setupCode.dashed)
                let configured = try await client.configure(lamp.id)
                #expect(configured == ConfiguredAccessory(name: "Lamp", deviceID: lamp.macAddress))
                try await Wait.until("the lamp left its own network") { client.lost.contains(lamp.id) }
                let added = try await client.call(HubMethods.addAccessory, early)
                #expect(added.ids.count == 1)
                #expect(await simulator.runningAccessory("SN-Lamp")?.isOnNetwork == true)
            }
        }
    }

    @Test func aWrongPassphraseLeavesTheAccessoryUnconfiguredUntilTheRightOne() async throws {
        try await OnboardingFixture.with { fixture in
            try await fixture.withLamp { simulator in
                let client = try await fixture.client()
                for (network, passphrase) in [(OnboardingFixture.network, "wrong horse"), ("Other", "correct horse")] {
                    let lamp = try await client.find()
                    let refusal = try await Self.refusal {
                        _ = try await client.configure(lamp.id, network, passphrase)
                    }
                    #expect(refusal == "networkNotJoined")
                    #expect(await simulator.runningAccessory("SN-Lamp")?.isOnNetwork == false)
                }
                let lamp = try await client.find()
                #expect(try await client.configure(lamp.id).deviceID == lamp.macAddress)
            }
        }
    }

    @Test func anAccessoryThatJoinedStaysOnTheNetworkUntilItIsReset() async throws {
        try await OnboardingFixture.with { fixture in
            let client = try await fixture.client()
            try await fixture.withLamp { _ in _ = try await client.configure(try await client.find().id) }
            try await fixture.withLamp { simulator in
                #expect(await simulator.runningAccessory("SN-Lamp")?.isOnNetwork == true)
                #expect(client.accessories.isEmpty)
                try await simulator.reset("Lamp")
                #expect(await simulator.runningAccessory("SN-Lamp")?.isOnNetwork == false)
                _ = try await client.find()
            }
        }
    }

    @Test func aNetworkThatCanNotExistIsRejectedAndNotSent() async throws {
        try await OnboardingFixture.with { fixture in
            try await fixture.withLamp { _ in
                let client = try await fixture.client()
                let lamp = try await client.find()
                let networks = [
                    (String(repeating: "n", count: 33), "12345678"), ("", "12345678"), ("Home", "1234567"),
                    ("Home", String(repeating: "p", count: 64)), ("Home", "pässphrase"),
                ]
                for (name, passphrase) in networks {
                    let refusal = try await Self.refusal { _ = try await client.configure(lamp.id, name, passphrase) }
                    #expect(refusal == "invalidNetwork", "\(name)")
                }
                #expect(client.lost.isEmpty)
            }
        }
    }

    @Test func withoutASetupInterfaceNothingIsSearched() async throws {
        try await OnboardingFixture.with(hasSetupInterface: false) { fixture in
            try await fixture.withLamp { _ in
                let client = try await fixture.client()
                #expect(try await client.refusal(HubMethods.startBrowsingUnconfigured, Empty()) == "noSetupInterface")
                let parameters = ConfigureAccessory(id: UUID(), network: "Home", passphrase: "12345678")
                #expect(try await client.refusal(HubMethods.configureAccessory, parameters) == "noSetupInterface")
                #expect(try await client.refusal(HubMethods.stopBrowsingUnconfigured, Empty()) == nil)
            }
        }
    }

    @Test func anAccessoryThatIsNotVisibleCanNotBeConfigured() async throws {
        try await OnboardingFixture.with { fixture in
            let client = try await fixture.client()
            #expect(try await Self.refusal { _ = try await client.configure(UUID()) } == "notDiscovered")
        }
    }

    @Test func guestsCanNotConfigure() async throws {
        try await OnboardingFixture.with { fixture in
            try await fixture.withLamp { _ in
                let owner = try await fixture.client()
                let home = try await owner.call(HubMethods.addHome, AddHome(name: "My Home")).id
                let added = AddHomeUser(home: home, name: "Guest", role: .guest)
                let id = try await owner.call(HubMethods.addUser, added).id
                let account = try #require(await fixture.hub.account(of: id, in: home, to: OnboardingClient.app))
                let authority = SessionAuthority(user: account, device: UUID(), client: .person)
                let guest = try await fixture.client(as: authority)
                let unseen = try await Self.refusal { _ = try await guest.find() }
                #expect(unseen == "insufficientPrivileges")
                let lamp = try await owner.find()
                let refusal = try await Self.refusal { _ = try await guest.configure(lamp.id) }
                #expect(refusal == "insufficientPrivileges")
                #expect(try await owner.find().id == lamp.id)
            }
        }
    }

    @Test func theHubAsksForTheNetworkThatARequestDoesNotName() async throws {
        try await OnboardingFixture.with { fixture in
            try await fixture.withLamp { _ in
                let client = try await fixture.client()
                _ = try await client.call(HubMethods.questions, Empty())
                let lamp = try await client.find()
                async let configured = client.call(HubMethods.configureAccessory, ConfigureAccessory(id: lamp.id))
                let question = try await client.question()
                #expect(question.kind == .network && question.fields.map(\.id) == ["network", "passphrase"])
                #expect(question.fields.map(\.isSecret) == [nil, true])
                // While the user thinks, nobody else configures the accessory.
                #expect(try await Self.refusal { _ = try await client.configure(lamp.id) } == "alreadyConfiguring")
                // An invalid answer leaves the question open.
                let short = ["network": OnboardingFixture.network, "passphrase": "1234567"]
                let answer = AnswerQuestion(id: question.id, answers: short)
                #expect(try await client.refusal(HubMethods.answerQuestion, answer) == "invalidNetwork")
                let right = ["network": OnboardingFixture.network, "passphrase": OnboardingFixture.passphrase]
                _ = try await client.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answers: right))
                #expect(try await configured.deviceID == lamp.macAddress)
            }
        }
    }

    /// A server in the setup network that accepts a configuration and then does nothing more.
    private static func withSilentAccessory(
        _ fixture: OnboardingFixture,
        _ body: (DeviceID) async throws -> Void
    ) async throws {
        let deviceID = DeviceID.random()
        let server = SetupServer(.unconfigured(SetupInformation()) { _ in })
        let advertiser = Advertiser(by: fixture.setup.sharedView)
        let advertisement = SetupAdvertisement(deviceID: deviceID)
        _ = try await server.start(address: "127.0.0.1", name: "Lamp", advertisement: advertisement, by: advertiser)
        do {
            try await body(deviceID)
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    @Test func anAccessoryThatVanishesAfterItsConfigurationIsAFailure() async throws {
        try await OnboardingFixture.with(joinTimeout: .milliseconds(50)) { fixture in
            try await Self.withSilentAccessory(fixture) { _ in
                let client = try await fixture.client()
                let lamp = try await client.find()
                #expect(try await Self.refusal { _ = try await client.configure(lamp.id) } == "networkNotJoined")
                // Nothing is left behind: the next attempt is carried out, and the accessory rejects it.
                #expect(try await Self.refusal { _ = try await client.configure(lamp.id) } == "configurationFailed")
            }
        }
    }

    @Test func anAccessoryThatIsGoneBeforeItsConfigurationIsAFailure() async throws {
        try await OnboardingFixture.with { fixture in
            let deviceID = DeviceID.random()
            let advertisement = SetupAdvertisement(deviceID: deviceID)
            let server = SetupServer(.unconfigured(SetupInformation()) { _ in })
            // The port is closed, but the goodbye was lost.
            let port = try await server.start(
                address: "127.0.0.1",
                name: "Elsewhere",
                advertisement: advertisement,
                by: Advertiser(by: MemoryServiceDiscovery())
            )
            await server.stop()
            let entries = advertisement.entries.map { TXTRecord.Entry(key: $0.key, value: Array($0.value.utf8)) }
            let stale = ServiceAdvertisement(
                instanceName: "Lamp",
                type: .wirelessSetup,
                port: UInt16(port),
                txt: TXTRecord(entries: entries),
                addresses: [try #require(IPAddress("127.0.0.1"))]
            )
            _ = try await fixture.setup.announce(stale)
            let client = try await fixture.client()
            let lamp = try await client.find()
            #expect(try await Self.refusal { _ = try await client.configure(lamp.id) } == "configurationFailed")
        }
    }

    @Test func anAdvertisementOfAnotherAccessoryInTheHomeIsNotTheArrival() async throws {
        try await OnboardingFixture.with(joinTimeout: .milliseconds(200)) { fixture in
            try await Self.withSilentAccessory(fixture) { deviceID in
                // One is another accessory, one has the seed from before the configuration.
                var servers: [SetupServer] = []
                for (id, seed) in [(DeviceID.random(), UInt32(1)), (deviceID, UInt32(0))] {
                    let server = SetupServer(.joined {})
                    _ = try await server.start(
                        address: "127.0.0.1",
                        name: "Other",
                        advertisement: SetupAdvertisement(deviceID: id, seed: seed),
                        by: Advertiser(by: fixture.home.sharedView)
                    )
                    servers.append(server)
                }
                let client = try await fixture.client()
                let lamp = try await client.find()
                #expect(try await Self.refusal { _ = try await client.configure(lamp.id) } == "networkNotJoined")
                for server in servers { await server.stop() }
            }
        }
    }

    @Test func atMost256AccessoriesAreListed() async throws {
        try await OnboardingFixture.with { fixture in
            let client = try await fixture.client()
            _ = try await client.call(HubMethods.startBrowsingUnconfigured, Empty())
            var announcements: [any ServiceAnnouncement] = []
            for number in 0...256 {
                let advertisement = SetupAdvertisement(deviceID: .random())
                let entries = advertisement.entries.map { TXTRecord.Entry(key: $0.key, value: Array($0.value.utf8)) }
                announcements.append(
                    try await fixture.setup.announce(
                        ServiceAdvertisement(
                            instanceName: "Lamp \(number)",
                            type: .wirelessSetup,
                            port: 9,
                            txt: TXTRecord(entries: entries),
                            addresses: [try #require(IPAddress("127.0.0.1"))]
                        )
                    )
                )
            }
            try await Wait.until("256 are listed") { client.accessories.count == 256 }
            // The one beyond the limit isn't listed; after another has left, a new one is.
            #expect(!client.accessories.contains { $0.name == "Lamp 256" })
            await announcements[0].withdraw()
            try await Wait.until("one is gone") { client.accessories.count == 255 }
        }
    }
}
