import HAP
import HAPCatalog
import PeerProcess
import Testing

@testable import HAPServer

/// Tests a server with homekit for Python as its controller, which follows the first public revision of the protocol.
@Suite struct OldControllerTests {
    private struct Report: Decodable {
        let written: [String: Int]?
        let value: CharacteristicValue?
        let pairings: Int?
        let error: String?
        let message: String?
    }

    @Test func itPairsWithMethodOneAndItsLastOfTwoValuesCounts() async throws {
        try await TestServer.run(storage: MemoryStorage()) { server in
            let brightness = try await server.id(.brightness)
            let (id, code) = (server.server.deviceID.description, TestServer.code)
            let peer = try PeerPython.start(
                "homekit_controller.py",
                ["\(server.port)", id, code, "\(brightness)", "7", "8"]
            )
            let report = try await peer.json(Report.self, "the report") { _ in true }
            await peer.terminate()
            #expect(report.error == nil, "\(report.message ?? "")")
            #expect(report.pairings == 1)
            #expect(report.written == [:])
            #expect(report.value?.converted(to: .uint8) == .integer(8))
            #expect(await server.server.isPaired)
        }
    }
}
