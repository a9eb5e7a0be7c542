import Foundation
import HubAPI
import NIOCore
import PeerProcess
import Testing

/// Guessing a code with the client of `Documentation/HubProtocol.md`, each time from another address.
struct JoinGuessTests {
    private struct Added: Decodable {
        var code: String?
    }

    private struct Device: Decodable {
        var name: String
    }

    /// Returns what the client of the page says about a code, with a source address of its own.
    private static func join(_ code: String, from address: String, at port: Int, _ fixture: Fixture) async throws
        -> String
    {
        let page = try PeerPython.packageRoot().appending(path: "Documentation/HubProtocol.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "```python\n"))
        let client = text[start.upperBound...]
        let end = try #require(client.range(of: "\n```"))
        let prelude = """
            import socket
            from_anywhere = socket.create_connection
            socket.create_connection = lambda place: from_anywhere(place, source_address=("\(address)", 0))

            """
        let file = fixture.folder.appending(path: "client.py").path
        try (prelude + client[..<end.lowerBound]).write(toFile: file, atomically: true, encoding: .utf8)
        let folder = URL(filePath: file).deletingLastPathComponent().path
        let python = try PeerPython.interpreter().path
        return try await ShellScript.run(
            "cd \(folder); \(python) client.py 127.0.0.1 \(port) \(code) 'Desk Lamp' 2>&1 || true"
        )
    }

    @Test func sixWrongCodesFromSixAddressesAreOneTooMany() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub(["--network", "127.0.0.1:0"])
            #expect(try await fixture.run("home", "add", "Villa").status == 0)
            let added = try await fixture.run("device", "add", "--json")
            let code = try #require(try JSONDecoder().decode(Added.self, from: Data(added.output.utf8)).code)
            let port = try #require(try await JoinCrashTests.address(fixture).port)
            let digits = code.filter(\.isNumber)
            let wrong = String(digits.dropLast()) + (digits.last == "0" ? "1" : "0")
            for number in 1...5 {
                let said = try await Self.join(wrong, from: "127.0.0.\(number + 1)", at: port, fixture)
                let rest = 5 - number
                let expected = rest == 0 ? "The code is wrong" : "The code is wrong. \(rest) "
                #expect(said.contains(expected), "\(said)")
            }
            for (address, guess) in [("127.0.0.7", wrong), ("127.0.0.8", digits)] {
                let said = try await Self.join(guess, from: address, at: port, fixture)
                #expect(!said.contains("joined") && !said.contains("The code is wrong"), "\(said)")
            }
            let devices = try await fixture.run("device", "list", "--json")
            #expect(try JSONDecoder().decode([Device].self, from: Data(devices.output.utf8)).isEmpty)
            #expect(await hub.terminate() == 0)
        }
    }
}
