import DNSSD
import HAP
import HAPClient
import HubAPI
import Testing

@testable import HomeHub

/// The hub's view of the accessory servers on the network.
struct AccessoryDiscoveryTests {
    private static func service(_ name: String, _ deviceID: DeviceID, port: UInt16) throws -> Service {
        let address = ServiceAddress(
            address: try #require(IPAddress("192.0.2.1")),
            interfaceName: "eth0",
            interfaceIndex: 1
        )
        return Service(
            instance: ServiceInstance(name: name, type: .hap),
            hostName: "host.local",
            port: port,
            addresses: [address],
            txt: ["id": deviceID.description]
        )
    }

    private static func texts(_ events: [AccessoryDiscovery.Event]) -> [String] {
        events.map { event in
            switch event {
            case .seen(let server): "seen \(server.deviceID)"
            case .gone(let deviceID): "gone \(deviceID)"
            }
        }
    }

    @Test func aServerWhoseNameAnotherOneTakesIsGone() async throws {
        let discovery = AccessoryDiscovery(network: nil, activities: ActivityStream())
        let (first, second) = (DeviceID.random(), DeviceID.random())
        let found = await discovery.handle(.found(try Self.service("Lamp", first, port: 1)))
        #expect(Self.texts(found) == ["seen \(first)"])
        let taken = await discovery.handle(.changed(try Self.service("Lamp", second, port: 2)))
        #expect(Self.texts(taken) == ["gone \(first)", "seen \(second)"])
        #expect(await discovery.server(first) == nil)
        #expect(await discovery.server(second)?.addresses.first?.port == 2)
    }

    @Test func aServerThatIsListedUnderAnotherNameIsNotGone() async throws {
        let discovery = AccessoryDiscovery(network: nil, activities: ActivityStream())
        let (first, second) = (DeviceID.random(), DeviceID.random())
        _ = await discovery.handle(.found(try Self.service("Lamp", first, port: 1)))
        _ = await discovery.handle(.found(try Self.service("Lamp (2)", first, port: 1)))
        let taken = await discovery.handle(.changed(try Self.service("Lamp", second, port: 2)))
        #expect(Self.texts(taken) == ["seen \(second)"])
        let gone = await discovery.handle(.gone(ServiceInstance(name: "Lamp (2)", type: .hap)))
        #expect(Self.texts(gone) == ["gone \(first)"])
    }

    /// A renamed server has two names for a second: the goodbye for the former one can arrive last.
    @Test func aRenamedServerIsShownUnderItsNewName() async throws {
        let activities = ActivityStream()
        let discovery = AccessoryDiscovery(network: nil, activities: activities)
        for _ in 1...32 {
            let deviceID = DeviceID.random()
            let (former, present) = ("Lamp \(deviceID)", "Light \(deviceID)")
            _ = await discovery.handle(.found(try Self.service(former, deviceID, port: 1)))
            _ = await discovery.handle(.found(try Self.service(present, deviceID, port: 1)))
            #expect(await discovery.server(deviceID)?.name == present)
            // The former name may even change before it expires.
            _ = await discovery.handle(.changed(try Self.service(former, deviceID, port: 2)))
            let gone = await discovery.handle(.gone(ServiceInstance(name: former, type: .hap)))
            #expect(Self.texts(gone).isEmpty)
            #expect(await discovery.shown[deviceID]?.name == present)
        }
    }
}
