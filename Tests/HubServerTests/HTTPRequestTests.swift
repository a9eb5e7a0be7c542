import Foundation
import HomeHub
import HubAPI
import LocalRPC
import NIOCore
import RawHTTP
import Testing
import WebServer

@testable import HubServer

/// Requests that are wrong, foreign, too large or too slow, and the page's files.
struct HTTPRequestTests {
    @Test func scriptsAndStylesAreServedWithoutCommentsAndIndentation() {
        let files = PageFiles([
            "index.html": Array("<!-- Kept. -->".utf8),
            "app.js": Array("// One.\nconst a = \"http://b\"; // Kept.\n\n  /**\n   * Two.\n   */\n  run();\n".utf8),
            "app.css": Array("/* Three. */\na { color: red; } /* Kept. */\n".utf8),
        ])
        #expect(String(buffer: files.index.bytes) == "<!-- Kept. -->")
        #expect(
            files.files["app.js"].map { String(buffer: $0.bytes) } == "const a = \"http://b\"; // Kept.\nrun();\n"
        )
        #expect(files.files["app.css"].map { String(buffer: $0.bytes) } == "a { color: red; } /* Kept. */\n")
    }

    @Test func thePageAndItsFilesAreServed() async throws {
        try await ServedHub.with { served in
            let page = PageClient(port: served.port)
            let index = try await page.get("/")
            #expect(index.status == 200 && index.headers["cache-control"] == "no-store")
            #expect(index.headers["content-security-policy"]?.contains("default-src 'none'; script-src 'self'") == true)
            #expect(index.headers["x-content-type-options"] == "nosniff")
            #expect(index.headers["strict-transport-security"] == nil)
            let hash = String(decoding: index.body, as: UTF8.self).dropFirst(3)
            #expect(hash.count == 16)
            #expect(try await page.get("/room/1").body == index.body)
            let file = try await page.get("/assets/\(hash)/app.js")
            #expect(file.status == 200 && file.body == Data("1".utf8))
            #expect(file.headers["content-type"] == "text/javascript; charset=utf-8")
            #expect(file.headers["cache-control"]?.contains("immutable") == true)
            for path in [
                "/assets/0000000000000000/app.js", "/assets/\(hash)/other.js", "/assets/\(hash)/../app.js", "/x.js",
            ] {
                let missing = try await page.get(path)
                #expect(missing.status == 404 && missing.body.count < 20, "\(path)")
            }
        }
    }

    @Test func filesAreCompressedForWhoeverAcceptsIt() async throws {
        let text = String(repeating: "const answer = 42;\n", count: 500)
        try await ServedHub.with(files: ["index.html": Array("@ASSETS@".utf8), "app.js": Array(text.utf8)]) { served in
            let page = PageClient(port: served.port)
            let path = "/assets/\(String(decoding: try await page.get("/").body, as: UTF8.self))/app.js"
            for accepted in ["gzip", "br, GZIP;q=0.5"] {
                let file = try await page.get(path, ["Accept-Encoding": accepted])
                #expect(file.headers["content-encoding"] == "gzip" && file.headers["vary"] == "Accept-Encoding")
                #expect(file.body.count < text.utf8.count / 10)
                #expect(try Self.uncompressed(file.body) == Data(text.utf8))
            }
            for refused in ["", "br", "gzip;q=0"] {
                let file = try await page.get(path, ["Accept-Encoding": refused])
                #expect(file.headers["content-encoding"] == nil && file.body == Data(text.utf8))
            }
        }
    }

    /// Returns what gzip makes of a file.
    private static func uncompressed(_ bytes: Data) throws -> Data {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).gz")
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let gzip = Process()
        gzip.executableURL = URL(filePath: "/bin/gzip")
        gzip.arguments = ["--decompress", "--stdout", file.path]
        let output = Pipe()
        gzip.standardOutput = output
        try gzip.run()
        return try output.fileHandleForReading.readToEnd() ?? Data()
    }

    @Test func theEmbeddedFilesAreAllFilesOfTheFolder() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appending(path: "Sources/HomePage/Files")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(names) == Set(PageFiles.embedded.files.keys).union(["index.html"]))
        let contents = try names.map { ($0, Array(try Data(contentsOf: folder.appending(path: $0)))) }
        let files = PageFiles(Dictionary(uniqueKeysWithValues: contents))
        #expect(PageFiles.embedded.hash == files.hash)
        #expect(PageFiles.embedded.index.bytes == files.index.bytes)
        #expect(PageFiles.embedded.files.mapValues(\.bytes) == files.files.mapValues(\.bytes))
    }

    @Test func aForeignHostOrOriginIsRefusedAndNothingIsDone() async throws {
        try await ServedHub.with { served in
            let page = try await served.device()
            let body = #"{"name":"Villa"}"#
            func status(_ headers: [String: String]) async throws -> Int {
                try await page.post("/api/home.add", body, headers).status
            }
            #expect(try await status(["Host": "evil.test:\(served.port)"]) == 421)
            #expect(try await status(["Host": "127.0.0.1"]) == 421)
            #expect(try await status(["Host": "127.0.0.1:1"]) == 421)
            #expect(try await status(["Host": "127.0.0.2:\(served.port)"]) == 421)
            #expect(try await status(["Host": ""]) == 400)
            #expect(try await status(["Host": "127.0.0.1:\(served.port)\r\nHost: evil.test"]) == 400)
            #expect(try await status(["Origin": "http://evil.test"]) == 403)
            #expect(try await status(["Origin": "null"]) == 403)
            #expect(try await status(["Sec-Fetch-Site": "cross-site"]) == 403)
            #expect(try await status(["Content-Type": "text/plain"]) == 415)
            #expect(try await page.get("/", ["Host": "evil.test:\(served.port)"]).body.isEmpty)
            let homes = try await page.stream().next("reset").json["homes"] as? [String: Any]
            #expect(homes?.isEmpty == true)
            for name in ["localhost", "LOCALHOST"] {
                let own = ["Host": "\(name):\(served.port)", "Origin": "http://\(name):\(served.port)"]
                #expect(try await page.post("/api/device.list", "{}", own).status == 200)
            }
        }
    }

    @Test func requestsThatMakeNoSenseGetAClearAnswer() async throws {
        try await ServedHub.with { served in
            let page = try await served.device()
            let method = try await page.get("/api/home.add")
            #expect(method.status == 405 && method.headers["allow"] == "POST")
            #expect(try await page.post("/").headers["allow"] == "GET, HEAD")
            #expect(try await page.post("/api/nope").code == "unknownMethod")
            #expect(try await page.post("/api/session.hello").code == "unknownMethod")
            #expect(try await page.post("/api/home.add", "{").code == "malformedMessage")
            #expect(try await page.post("/api/home.add", "{}").status == 400)
            #expect(try await page.post("/login", "[]").status == 400)
            #expect(try await page.post("/api/events", #"{"version":1}"#).code == "versionMismatch")
            let stranger = PageClient(port: served.port)
            for path in ["/api/home.add", "/api/nope", "/api/events"] {
                let refused = try await stranger.post(path)
                #expect(refused.status == 401 && refused.headers["www-authenticate"] == "Bearer")
            }
        }
    }

    @Test func aBodyIsLimitedToItsMaximum() async throws {
        try await ServedHub.with { served in
            let page = try await served.device()
            func body(_ size: Int) -> String {
                #"{"name":"\#(String(repeating: " ", count: size - 11))"}"#
            }
            #expect(body(20).utf8.count == 20)
            let allowed = try await page.post("/api/home.add", body(RPCLimits.requestBytes))
            #expect(allowed.status == 422)
            let excess = try await page.post("/api/home.add", body(RPCLimits.requestBytes + 1))
            #expect(excess.status == 413 && excess.headers["connection"] == "close")
            #expect(try await page.post("/login", body(4_096)).status == 400)
            #expect(try await page.post("/login", body(4_097)).status == 413)
        }
    }

    @Test func headersAreLimited() async throws {
        try await ServedHub.with { served in
            let page = try await served.device()
            let allowed = ["X-Filler": String(repeating: "x", count: 8_000)]
            #expect(try await page.get("/", allowed).status == 200)
            let excess = ["X-Filler": String(repeating: "x", count: 20_000)]
            let connection = try HTTPConnection(port: served.port)
            try await connection.send(page.head("GET", "/", nil, excess))
            let response = try? await connection.response()
            #expect(response == nil || response?.status == 400)
        }
    }

    @Test func aClientThatSendsTooSlowlyIsDisconnected() async throws {
        var limits = HTTPLimits()
        limits.bodyTime = .seconds(2)
        try await ServedHub.with(limits) { served in
            let page = try await served.device()
            let connection = try HTTPConnection(port: served.port)
            try await connection.send(page.head("POST", "/api/home.add", 100) + "{")
            #expect(await connection.drain() == 0)
        }
    }

    @Test func aConnectionWithoutRequestsIsClosed() async throws {
        var limits = HTTPLimits()
        limits.connection.idleTime = .milliseconds(50)
        try await ServedHub.with(limits) { served in
            for beginning in ["", "GET / HTTP/1.1\r\nHost: "] {
                let connection = try HTTPConnection(port: served.port)
                try await connection.send(beginning)
                #expect(await connection.drain() == 0)
            }
        }
    }

    @Test func aClientThatReadsNothingIsDisconnected() async throws {
        var limits = HTTPLimits()
        limits.connection.stallTime = .milliseconds(50)
        let size = 32 << 20
        try await ServedHub.with(limits, files: ["large.png": [UInt8](repeating: 32, count: size)]) { served in
            let page = PageClient(port: served.port)
            let hash = PageFiles(["large.png": [UInt8](repeating: 32, count: size)]).hash
            let connection = try HTTPConnection(port: served.port, receiveBuffer: 65_536)
            try await connection.send(page.head("GET", "/assets/\(hash)/large.png", nil))
            // The server counts a connection before it sends anything, and no longer once it has given up.
            try await connection.waitForBytes()
            while served.listener.connections != 0 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(await connection.drain() < size)
        }
    }

    @Test func connectionsOfAnAddressAreLimited() async throws {
        var limits = HTTPLimits()
        limits.connection.connectionsPerAddress = 3
        try await ServedHub.with(limits) { served in
            let page = PageClient(port: served.port)
            var held: [HTTPConnection] = []
            for _ in 0..<3 {
                let connection = try HTTPConnection(port: served.port)
                try await connection.send(page.head("GET", "/", nil))
                #expect(try await connection.response().status == 200)
                held.append(connection)
            }
            let excess = try HTTPConnection(port: served.port)
            #expect(await excess.drain() == 0)
            held.removeLast().end()
            while (try? await page.get("/").status) != 200 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(held.count == 2)
        }
    }

    @Test func aSecondHubCannotTakeTheAddress() async throws {
        try await ServedHub.with { first in
            let page = try await first.device()
            let error = await #expect(throws: HubError.self) {
                try await HTTPListener.start(
                    at: first.listener.address,
                    of: first.hub,
                    security: .none,
                    logger: first.log
                )
            }
            #expect(error?.code == .httpRefused)
            #expect(try await page.post("/api/device.list").status == 200)
        }
    }

    @Test func aPageOfAnotherHubAtTheSameAddressMustSignIn() async throws {
        var (page, hash) = (PageClient(port: 0), "")
        var stream: [String: String] = [:]
        try await ServedHub.with { first in
            page = try await first.device(staysSignedIn: true)
            let opened = try await page.stream()
            stream = opened.header
            hash = opened.hello.json["assets"] as? String ?? ""
            opened.connection.end()
        }
        try await ServedHub.with(files: ["index.html": Array("new @ASSETS@".utf8)]) { second in
            var former = PageClient(port: second.port)
            former.token = page.token
            #expect(try await former.post("/api/home.add", #"{"name":"Villa"}"#, stream).code == "signedOut")
            #expect(try await former.post("/api/events", "{}", stream).status == 401)
            let renewal = try await former.post("/renew", #"{"credential":"\#(page.credential ?? "")"}"#)
            #expect(renewal.status == 401 && renewal.code == "signedOut")
            // Files of a page that is older than the hub are gone, so that the page loads itself again.
            let file = try await former.get("/assets/\(hash)/app.js")
            #expect(file.status == 404 && file.headers["cache-control"] == "no-store")
            let device = try await second.device()
            #expect(String(decoding: try await device.post("/export").body, as: UTF8.self).contains("Villa") == false)
        }
    }

    @Test func aStoppedHubEndsItsStreams() async throws {
        try await ServedHub.with { served in
            let stream = try await served.device().stream()
            _ = try await stream.next("reset")
            await served.listener.stop()
            #expect(try await stream.next("ended").json["code"] as? String == "connectionLost")
            #expect(throws: HTTPConnection.Failure.self) { try HTTPConnection(port: served.port) }
        }
    }
}
