import HubAPI
import LocalRPCSockets
import Testing

struct SocketPeerTests {
    private func peer(of user: UInt32) -> SocketPeer { SocketPeer(processID: 1, userID: user, groupID: 1_000) }

    @Test func onesOwnUserAndRootAreTrustedAndNobodyElse() {
        #expect(peer(of: 1_000).isTrusted(by: 1_000))
        #expect(peer(of: 0).isTrusted(by: 1_000))
        #expect(!peer(of: 1_001).isTrusted(by: 1_000))
        #expect(!peer(of: 1_000).isTrusted(by: 0))
    }
}
