import Testing

@testable import HAPClient

@Suite struct AccessoryAddressTests {
    @Test(arguments: [
        ("10.0.0.1", "10.0.0.1:80", "10.0.0.1:80"), ("fd00::1", "[fd00::1]:80", "[fd00::1]:80"),
        ("fe80::1%eth0", "[fe80::1%eth0]:80", "[fe80::1]:80"), ("lamp.local", "lamp.local:80", "lamp.local:80"),
    ])
    func isWrittenForPeopleAndForHTTP(host: String, description: String, authority: String) {
        let address = AccessoryAddress(host: host, port: 80)
        #expect(address.description == description)
        #expect(address.authority == authority)
    }

    @Test func onlyFourNumbersAreIPv4() {
        let hosts = ["1.2.3", "1.2.3.256", "1.2.3.4.5", "1.2.3.4"]
        let addresses = hosts.map { AccessoryAddress(host: $0, port: 1) }
        #expect(
            AccessoryAddress.sortedByPreference(addresses).map(\.host) == [
                "1.2.3.4", "1.2.3", "1.2.3.256", "1.2.3.4.5",
            ]
        )
    }
}
