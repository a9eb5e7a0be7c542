import AccessoryCheck
import HAP
import PeerProcess
import Testing

extension ControllerConnection {
    /// Opens a connection to a server on 127.0.0.1.
    static func open(_ port: Int) async throws -> ControllerConnection {
        try await open(host: "127.0.0.1", port: port, timeout: Wait.limit)
    }

    /// Frames all further messages with these keys.
    func secure(accessoryToController: [UInt8], controllerToAccessory: [UInt8]) throws {
        secure(
            accessoryToController: try #require(FrameKey(accessoryToController)),
            controllerToAccessory: try #require(FrameKey(controllerToAccessory))
        )
    }
}

extension RawSetup {
    /// Runs M1 to M4 with the code of the tests.
    init(_ connection: ControllerConnection, m1: [UInt8] = Self.m1) async throws {
        try await self.init(connection, m1: m1, code: SetupCode(TestServer.code))
    }
}
