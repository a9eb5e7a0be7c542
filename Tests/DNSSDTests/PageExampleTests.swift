import DNSSD
import Testing

// The example of Sources/DNSSD/DNSSD.docc/DNSSD.md. A test looks for every block of that page in this file.

func advertiseAndFindLamp(_ type: ServiceType) async throws -> Service? {
    let accessory = try await MulticastDNS(interfaces: ["127.0.0.1"])
    let lamp = try await accessory.advertise(
        ServiceAdvertisement(instanceName: "Lamp", type: type, port: 8080, txt: ["id": "11:22:33:44:55:66"])
    )

    let controller = try await MulticastDNS(interfaces: ["127.0.0.1"])
    var found: Service?
    for await event in controller.browse(type) {
        if case .found(let service) = event, service.instance.name == lamp.instanceName {
            found = service
            break
        }
    }
    await controller.shutdown()
    await accessory.shutdown()
    return found
}

@Suite struct PageExampleTests {
    @Test func theExampleFindsItsLamp() async throws {
        let lamp = try await advertiseAndFindLamp(try Loopback.uniqueType())
        #expect(lamp?.port == 8080)
        #expect(lamp?.txt["id"] == "11:22:33:44:55:66")
    }
}
