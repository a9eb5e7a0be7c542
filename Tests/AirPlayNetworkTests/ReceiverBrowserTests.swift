import AirPlay
import AirPlayNetwork
import DNSSD
import PeerProcess
import Testing

/// Receivers as they advertise themselves: with both services, or with one of them.
@Suite struct ReceiverBrowserTests {
    /// A network whose services the test makes up.
    private struct Network: ServiceDiscovery {
        let classic = AsyncStream.makeStream(of: BrowseEvent.self)
        let modern = AsyncStream.makeStream(of: BrowseEvent.self)

        func announce(_ service: ServiceAdvertisement) async throws(DNSSDError) -> any ServiceAnnouncement {
            throw DNSSDError(.closed, reason: "This network has listeners only.")
        }

        func services(of type: ServiceType) -> any AsyncSequence<BrowseEvent, Never> & Sendable {
            type.description.hasPrefix("_raop") ? classic.stream : modern.stream
        }

        func unresolvedServices(of type: ServiceType, within time: Duration) async -> [UnresolvedService] { [] }
        func reconfirm(_ instance: ServiceInstance) async {}
        func shutdown() async {}

        static func service(_ name: String, _ type: String, _ txt: [(key: String, value: String)]) throws -> Service {
            let address = try #require(IPAddress("192.0.2.7"))
            return Service(
                instance: ServiceInstance(name: name, type: try ServiceType(type)),
                hostName: "receiver.local",
                port: type == ReceiverRecord.serviceType ? 5_000 : 7_000,
                addresses: [ServiceAddress(address: address, interfaceName: "lo", interfaceIndex: 1)],
                txt: TXTRecord(entries: txt.map { TXTRecord.Entry(key: $0.key, value: Array($0.value.utf8)) })
            )
        }

        func addClassic(_ name: String) throws {
            let record = ReceiverRecord(deviceID: ReceiverRecord.deviceID(of: name), name: name)
            let service = try Self.service(record.instanceName, ReceiverRecord.serviceType, record.txt)
            classic.continuation.yield(.found(service))
        }

        /// Adds a service of the second type. Its features are those of a speaker unless others are given.
        func addModern(_ name: String, features: String = "0x445F8A00,0x1C340", flags: String = "0x4") throws {
            let id = ReceiverRecord.deviceID(of: name)
            let address = stride(from: 0, to: 12, by: 2).map { String(id.dropFirst($0).prefix(2)) }
                .joined(separator: ":")
            let txt = [("deviceid", address), ("features", features), ("flags", flags), ("model", "Speaker1,1")]
            let service = try Self.service(
                name,
                ReceiverRecord.airPlayServiceType,
                txt.map { (key: $0.0, value: $0.1) }
            )
            modern.continuation.yield(.found(service))
        }
    }

    @Test func aReceiverWithOnlyTheSecondServiceIsFound() async throws {
        let network = Network()
        let browser = ReceiverBrowser(network)
        try network.addModern("Attic", flags: "0x284")
        let found = try #require(await browser.receiver(named: "Attic"))
        #expect(found.port == 7_000 && found.host == "192.0.2.7" && !found.playsVideo)
        #expect(found.record.deviceID == ReceiverRecord.deviceID(of: "Attic") && found.record.model == "Speaker1,1")
        #expect(found.record.features.hasAirPlay2 && found.record.needsPassword && found.record.needsPIN)
        #expect(found.record.acceptsUnencrypted && found.record.metadata == [.text, .artwork, .progress])
        #expect(await browser.receivers == [found])
        let byID = await browser.receiver(named: ReceiverRecord.deviceID(of: "Attic").lowercased())
        #expect(byID == found)
    }

    @Test func theClassicServiceDescribesAReceiverWithBoth() async throws {
        let network = Network()
        let browser = ReceiverBrowser(network)
        try network.addModern("Bath", features: "0x445F8A01,0x1C340")
        try await Wait.until("it is found") { await browser.receivers.count == 1 }
        try network.addClassic("Bath")
        let found = try #require(await browser.receiver(named: "Bath"))
        #expect(found.port == 5_000 && found.playsVideo)
        #expect(await browser.receivers == [found])
        #expect(await browser.videoReceivers.isEmpty)
    }

    @Test func aReceiverOfFilmsOnlyIsNotOneOfAudio() async throws {
        let network = Network()
        let browser = ReceiverBrowser(network)
        try network.addModern("Cinema", features: "0x11")
        try await Wait.until("it is found") { await browser.videoReceivers.count == 1 }
        #expect(await browser.receivers.isEmpty)
        #expect(await browser.videoReceivers.first?.record.name == "Cinema")
    }

    @Test func aServiceThatIsGoneIsForgotten() async throws {
        let network = Network()
        let browser = ReceiverBrowser(network)
        try network.addModern("Den")
        #expect(await browser.receiver(named: "Den") != nil)
        let type = try ServiceType(ReceiverRecord.airPlayServiceType)
        network.modern.continuation.yield(.gone(ServiceInstance(name: "Den", type: type)))
        try await Wait.until("it is forgotten") { await browser.receivers.isEmpty }
    }

    @Test func servicesAreKeptUpToTheLimit() async throws {
        let network = Network()
        let browser = ReceiverBrowser(network)
        for number in 1...257 { try network.addClassic("Room \(number)") }
        try network.addModern("Cinema", features: "0x11")
        try await Wait.until("all have arrived") {
            let counts = (await browser.receivers.count, await browser.videoReceivers.count)
            return counts == (256, 1)
        }
    }

    @Test(arguments: [
        [("features", "0x445F8A00,0x1C340")], [("deviceid", "AA:BB:CC:DD:EE")], [("deviceid", "zz:zz:zz:zz:zz:zz")],
    ])
    func aRecordWithoutAnIDIsIgnored(txt: [(String, String)]) {
        #expect(ReceiverRecord(airPlayName: "X") { key in txt.first { $0.0 == key }?.1 } == nil)
    }
}
