import Testing

@testable import WirelessSetup

/// The exchange with an independent implementation at the other side.
struct SetupPeerTests {
    @Test func thePeersAccessoryReadsTheConfigurationOfOurController() async throws {
        try await WirelessSetupPeer.with { peer in
            var controller = SetupController()
            try controller.handleExchange(try await peer.ask("answer exchange", controller.exchangeRequest).bytes)
            let network = try NetworkCredentials(name: "Straße 7 ☕", passphrase: "correct horse battery")
            let body = try controller.configure(SetupConfiguration(network: network, name: "Reading Lamp"))
            let reply = try await peer.ask("answer configuration", body)
            #expect(reply.network == "Straße 7 ☕" && reply.passphrase == "correct horse battery")
            #expect(reply.name == "Reading Lamp")
            let information = try controller.handleConfiguration(reply.bytes)
            #expect(information == SetupInformation(name: "Lamp", manufacturer: "Maker", model: "Model 1"))
        }
    }

    @Test func ourAccessoryReadsTheConfigurationOfThePeersController() async throws {
        try await WirelessSetupPeer.with { peer in
            var accessory = SetupResponder(information: SetupInformation(name: "Fan", serialNumber: "F-1"))
            let reply = try accessory.exchange(try await peer.ask("exchange").bytes)
            let request = try await peer.ask("configure", reply, network: "Home", passphrase: "12345678")
            let (configuration, body) = try accessory.configure(request.bytes)
            #expect(configuration.network.name == "Home" && configuration.network.passphrase == "12345678")
            #expect(configuration.name == "Desk")
            let read = try await peer.ask("read", body)
            #expect(read.name == "Fan" && read.serialNumber == "F-1" && read.manufacturer == nil)
        }
    }
}
