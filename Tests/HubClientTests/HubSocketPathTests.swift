import HubClient
import Testing

struct HubSocketPathTests {
    @Test(arguments: [
        (["HEARTH_SOCKET": "/a/b.sock", "XDG_RUNTIME_DIR": "/run/user/7"], "/a/b.sock"),
        (["HEARTH_SOCKET": "", "XDG_RUNTIME_DIR": "/run/user/7"], "/run/user/7/hearth/hub.sock"),
        (["XDG_RUNTIME_DIR": "relative"], "/run/hearth/hub.sock"),
        ([:], "/run/hearth/hub.sock"),
    ])
    func theEnvironmentDecidesWhereTheSocketIs(environment: [String: String], path: String) {
        #expect(HubSocketPath.standard(environment: environment) == path)
    }
}
