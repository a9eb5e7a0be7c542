import Foundation
import PeerProcess

/// `Tests/Peers/wireless_setup.py`: both sides of the configuration in another language.
struct WirelessSetupPeer {
    struct Reply: Decodable, Sendable {
        var body: String?
        var name: String?
        var network: String?
        var passphrase: String?
        var manufacturer: String?
        var serialNumber: String?

        var bytes: [UInt8] { Hex.bytes(body ?? "") }
    }

    private struct Command: Encodable {
        var `do`: String
        var body: String
        var network: String
        var passphrase: String
    }

    private let process: PeerProcess

    static func with<Result>(_ body: (WirelessSetupPeer) async throws -> Result) async throws -> Result {
        let process = try PeerPython.start("wireless_setup.py")
        let result = try await body(WirelessSetupPeer(process: process))
        _ = await process.terminate()
        return result
    }

    func ask(
        _ command: String,
        _ body: [UInt8] = [],
        network: String = "",
        passphrase: String = ""
    ) async throws -> Reply {
        let command = Command(do: command, body: Hex.text(body), network: network, passphrase: passphrase)
        try process.send(String(decoding: try JSONEncoder().encode(command), as: UTF8.self))
        return try await process.json(Reply.self, "the reply") { _ in true }
    }
}

enum Hex {
    static func text(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }
}
