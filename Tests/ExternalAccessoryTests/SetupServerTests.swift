import DNSSD
import HAP
import HAPClient
import HAPServer
@testable import HomeKitTesting
import PeerProcess
import Synchronization
import Testing
import WirelessSetup

/// The accessory's server, with requests that no controller of ours sends.
struct SetupServerTests {
    private static func withServer(
        _ body: (AccessoryAddress, AcceptedConfigurations) async throws -> Void
    ) async throws {
        let accepted = AcceptedConfigurations()
        let server = SetupServer(.unconfigured(SetupInformation(name: "Lamp")) { accepted.add($0) })
        let port = try await server.start(
            address: "127.0.0.1",
            name: "Lamp",
            advertisement: SetupAdvertisement(deviceID: .random()),
            by: Advertiser(by: MemoryServiceDiscovery())
        )
        do {
            try await body(AccessoryAddress(host: "127.0.0.1", port: port), accepted)
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    private static func ask(
        _ method: HTTPMethod,
        _ path: String,
        _ body: [UInt8] = [],
        at address: AccessoryAddress
    ) async throws -> Int? {
        // A server with too many connections may close one before it is set up.
        guard let connection = try? await DirectConnection.open(to: address, timeout: Wait.limit) else { return nil }
        let request = HTTPRequest(method, path, host: "lamp", body: body)
        let status = try? await connection.ask(request).status.rawValue
        await connection.close()
        return status
    }

    private static func configuration() throws -> SetupConfiguration {
        SetupConfiguration(network: try NetworkCredentials(name: "Home", passphrase: "12345678"))
    }

    @Test func requestsThatAreNotPartOfAConfigurationAreRejected() async throws {
        try await Self.withServer { (address, accepted) async throws in
            #expect(try await Self.ask(.get, "/auth-setup", at: address) == 405)
            #expect(try await Self.ask(.post, "/accessories", at: address) == 404)
            #expect(try await Self.ask(.post, "/configured", at: address) == 404)
            #expect(try await Self.ask(.post, "/config", [1, 2, 3], at: address) == 470)
            #expect(try await Self.ask(.post, "/auth-setup", [1, 2, 3], at: address) == 400)
            // A body beyond the limit ends the connection.
            let long = [UInt8](repeating: 0, count: WirelessSetupLimits.messageLength + 1)
            #expect(try await Self.ask(.post, "/config", long, at: address) == nil)
            let full = [UInt8](repeating: 0, count: WirelessSetupLimits.messageLength)
            #expect(try await Self.ask(.post, "/config", full, at: address) == 470)
            #expect(accepted.all.isEmpty)
        }
    }

    @Test func onlyTheFirstOfTwoConfigurationsIsAccepted() async throws {
        try await Self.withServer { (address, accepted) async throws in
            let configurator = AccessoryConfigurator()
            let information = try await configurator.configure([address], with: try Self.configuration())
            #expect(information.name == "Lamp")
            await #expect(throws: ConfiguratorError.refused(503)) {
                try await configurator.configure([address], with: try Self.configuration())
            }
            try await Wait.until("the configuration arrives") { !accepted.all.isEmpty }
            #expect(accepted.all == [try Self.configuration()])
        }
    }

    @Test func connectionsThatSendNothingDoNotAddUp() async throws {
        try await Self.withServer { (address, _) async throws in
            var open: [DirectConnection] = []
            for _ in 0..<12 {
                if let connection = try? await DirectConnection.open(to: address, timeout: Wait.limit) {
                    open.append(connection)
                }
            }
            #expect(try await Self.ask(.post, "/nothing", at: address) == nil)
            for connection in open { await connection.close() }
            try await Wait.until("a connection is accepted again") {
                try await Self.ask(.post, "/nothing", at: address) == 404
            }
        }
    }
}

/// The configurations that a server accepted.
private final class AcceptedConfigurations: Sendable {
    private let list = Mutex<[SetupConfiguration]>([])

    var all: [SetupConfiguration] { list.withLock { $0 } }

    func add(_ configuration: SetupConfiguration) { list.withLock { $0.append(configuration) } }
}
