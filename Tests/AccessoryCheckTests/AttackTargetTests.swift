import AccessoryCheck
import Testing

@Suite struct AttackTargetTests {
    private func isAllowed(_ host: String) -> Bool {
        do throws(CheckSummary.Problem) {
            return try AttackTarget.resolve(CheckTarget(host: host, port: 51_826)).port == 51_826
        } catch {
            return false
        }
    }

    @Test(arguments: [
        "127.0.0.0", "127.255.255.255", "10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0",
        "192.168.255.255", "169.254.0.0", "169.254.255.255", "::1", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "::ffff:10.0.0.1", "::ffff:172.31.255.255",
    ])
    func theOwnNetworkMayBeAttacked(_ host: String) {
        #expect(isAllowed(host))
    }

    @Test(arguments: [
        "126.255.255.255", "128.0.0.0", "9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255",
        "192.169.0.0", "169.253.255.255", "169.255.0.0", "0.0.0.0", "100.64.0.1", "224.0.0.251", "255.255.255.255",
        "8.8.8.8", "::", "::2", "100::1", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fe00::",
        "fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fec0::", "ff02::fb", "2001:db8::1", "::ffff:8.8.8.8",
        "::ffff:172.32.0.0", "::10.0.0.1",
    ])
    func noOtherAddressMayBeAttacked(_ host: String) {
        #expect(!isAllowed(host))
    }

    @Test func aNameIsUsedByItsAddress() throws {
        let target = try AttackTarget.resolve(CheckTarget(host: "localhost", port: 1))
        #expect(["127.0.0.1", "::1"].contains(target.host))
    }

    @Test func anAddressOfAnUnknownSizeIsRefused() {
        #expect(!AttackTarget.isAllowed([]))
        #expect(!AttackTarget.isAllowed([10]))
        #expect(!AttackTarget.isAllowed([10, 0, 0, 0, 0]))
    }
}
