import Foundation
import HomeHub
import HubAPI
import NIOCore
import PeerProcess
import RawHTTP
import TLS
import Testing
import WebServer

@testable import HubServer

/// The limits of HTTP/2, which clients try to exceed.
struct HTTP2Tests {
    private static func outcome(
        of behavior: String,
        _ arguments: [String] = [],
        _ limits: HTTPLimits = HTTPLimits()
    ) async throws -> String {
        var line = ""
        try await ServedHub.with(limits, security: .ownAuthority) { served in
            let authority = try #require(try await served.hub.certificate(.authority))
            let file = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString).pem")
            try Data(authority).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let client = try PeerPython.start("tls_client.py", ["\(served.port)", file.path, behavior] + arguments)
            line = try await client.line("the outcome of \(behavior)") { !$0.isEmpty }
            await client.exit()
            while served.listener.connections != 0 { try await Task.sleep(for: .milliseconds(10)) }
            // The hub serves others as before.
            let other = try await ShellScript.run(
                "curl -sS --http2 --cacert \(file.path) -w '|%{http_version}' https://localhost:\(served.port)/"
            )
            #expect(other.hasSuffix("|2"), "\(other)")
        }
        return line
    }

    @Test(arguments: ["pings", "settings", "resets", "continuations", "large-header"])
    func aFloodEndsTheConnection(behavior: String) async throws {
        let line = try await Self.outcome(of: behavior)
        #expect(line.hasPrefix("ended"), "\(line)")
    }

    @Test func asManyRequestsAsTheLimitAllowsAreOpenAtOnce() async throws {
        #expect(HTTPLimits().connection.concurrentRequests == 64)
        #expect(try await Self.outcome(of: "open-requests", ["64"]) == "answered 64, refused 0, open")
    }

    @Test func oneRequestMoreEndsTheConnection() async throws {
        let line = try await Self.outcome(of: "open-requests", ["65"])
        #expect(line == "answered 0, refused 0, ended")
    }

    @Test func aClientThatDoesNotAcknowledgeTheLimitIsHeldToIt() async throws {
        let line = try await Self.outcome(of: "open-requests-unacknowledged", ["65"])
        #expect(line == "answered 0, refused 0, ended")
    }

    @Test func aConnectionStaysAsLongAsARequestIsOpen() async throws {
        var limits = HTTPLimits()
        limits.connection.idleTime = .seconds(1)
        try await ServedHub.with(limits, security: .ownAuthority) { served in
            let code = await served.hub.createLogin().code
            // curl ends with 28 if the stream is still open after the time, which is several times the limit.
            let script = """
                url=https://localhost:\(served.port)
                token=$(curl -sSk -H 'Content-Type: application/json' -d '{"code":"\(code)"}' $url/login | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
                curl -sSkN --http2 --max-time 10 -H 'Content-Type: application/json' -H "Authorization: Bearer $token" -d '{}' \
                    $url/api/events || echo "ended with $?"
                """
            let output = try await ShellScript.run("(\(script)) 2>&1")
            #expect(output.contains("event: reset") && output.contains("ended with 28"), "\(output)")
        }
    }

    @Test func aConnectionWithoutRequestsIsClosed() async throws {
        var limits = HTTPLimits()
        limits.connection.idleTime = .seconds(2)
        #expect(try await Self.outcome(of: "idle-http2", [], limits).hasPrefix("ended"))
    }

    @Test func moreThanThreeStreamsOfADeviceAreOpenAtOnce() async throws {
        try await ServedHub.with(security: .ownAuthority) { served in
            let code = await served.hub.createLogin().code
            let script = """
                cd "$(mktemp -d)"; trap 'rm -rf "$PWD"; kill $(jobs -p) 2>/dev/null || true' EXIT
                url=https://localhost:\(served.port)
                token=$(curl -sSk -H 'Content-Type: application/json' -d '{"code":"\(code)"}' $url/login | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
                send() { curl -sSkN --http2 -H 'Content-Type: application/json' -H "Authorization: Bearer $token" "$@"; }
                for index in 1 2 3 4 5; do send -d '{}' $url/api/events >stream$index & done
                for index in 1 2 3 4 5; do until grep -q 'event: reset' stream$index 2>/dev/null; do sleep 0.05; done; done
                send -d '{"name":"Villa"}' $url/api/home.add >/dev/null
                for index in 1 2 3 4 5; do until grep -q 'event: change' stream$index; do sleep 0.05; done; done
                ! grep -l superseded stream*
                echo "all five"
                """
            let output = try await ShellScript.run("(\(script))")
            #expect(output.contains("all five"), "\(output)")
        }
    }
}
