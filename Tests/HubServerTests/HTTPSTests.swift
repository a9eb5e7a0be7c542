import Foundation
import HomeHub
import HomeKitTesting
import HubAPI
import NIOCore
import PeerProcess
import RawHTTP
import TLS
import Testing
import WebServer

@testable import HubServer

/// HTTPS with a certificate of the hub's own authority, with `curl`, `openssl` and Python as clients.
struct HTTPSTests {
    /// Runs `body` with a hub that serves HTTPS, and the file with its authority's certificate.
    private static func with(
        _ limits: HTTPLimits = HTTPLimits(),
        files: [String: [UInt8]] = ["index.html": Array(page.utf8)],
        _ body: (ServedHub, String) async throws -> Void
    ) async throws {
        try await ServedHub.with(limits, security: .ownAuthority, files: files) { served in
            let authority = try #require(try await served.hub.certificate(.authority))
            try await withFile(try TLSIdentity(pem: authority).chain[0].pem()) { try await body(served, $0) }
        }
    }

    private static func withFile(_ bytes: [UInt8], _ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString).pem")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path)
    }

    private static let page = "<p>Hello</p>"

    /// Returns what a client of `Tests/Peers/tls_client.py` reports.
    private static func client(_ behavior: String, _ served: ServedHub, _ authority: String) async throws -> String {
        let client = try PeerPython.start("tls_client.py", ["\(served.port)", authority, behavior, page])
        let line = try await client.line("the outcome of \(behavior)") { !$0.isEmpty }
        #expect(await client.exit() == 0)
        return line
    }

    // MARK: Certificates

    @Test func clientsThatTrustTheAuthorityConnect() async throws {
        try await Self.with { served, authority in
            #expect(served.listener.url == "https://127.0.0.1:\(served.port)")
            for host in ["localhost", "127.0.0.1"] {
                for version in ["--http1.1", "--http2"] {
                    let output = try await ShellScript.run(
                        "curl -sS \(version) --cacert \(authority) -w '|%{http_version}' https://\(host):\(served.port)/"
                    )
                    #expect(
                        output.hasPrefix("<p>") && output.hasSuffix(version == "--http2" ? "|2" : "|1.1"),
                        "\(output)"
                    )
                }
            }
            #expect(try await Self.client("strict", served, authority) == "TLSv1.3 http/1.1 False")
        }
    }

    @Test func clientsRejectTheHubUnderAnotherNameOrAuthority() async throws {
        try await Self.with { served, authority in
            #expect(try await Self.client("wrong-name", served, authority).contains("Hostname mismatch"))
            let other = try CertificateAuthority(hostName: "other").certificate.pem()
            try await Self.withFile(other) { other in
                let output = try await ShellScript.run(
                    "curl -sS --cacert \(other) https://localhost:\(served.port)/ || echo $?"
                )
                #expect(output.contains("60"), "\(output)")
            }
        }
    }

    @Test func theAuthorityStaysAndItsKeyIsOnlyInTheStore() async throws {
        try await Self.with { served, _ in
            let (authority, server) = (
                try await served.hub.certificate(.authority), try await served.hub.certificate(.server)
            )
            let again = try await HTTPListener.start(
                at: try #require(HTTPAddress("127.0.0.1:0")),
                of: served.hub,
                security: .ownAuthority,
                logger: served.log
            )
            await again.stop()
            #expect(try await served.hub.certificate(.authority) == authority)
            #expect(try await served.hub.certificate(.server) == server)
            #expect(again.fingerprint == served.listener.fingerprint && again.fingerprint?.count == 95)
        }
    }

    @Test func aCertificateIsReplacedBeforeItExpires() async throws {
        try await Self.with { served, _ in
            let certificate = try #require(
                try await ServerCertificate.open(.ownAuthority, of: served.hub, for: { ["localhost"] }, log: served.log)
            )
            let first = certificate.context
            let expires = try TLSIdentity(pem: try #require(try await served.hub.certificate(.server))).expires
            await certificate.refresh(now: expires - 31 * 86_400)
            #expect(certificate.context === first)
            await certificate.refresh(now: expires - 29 * 86_400)
            #expect(certificate.context !== first)
            let renewed = try TLSIdentity(pem: try #require(try await served.hub.certificate(.server)))
            #expect(renewed.expires > expires)
            let lifetime = renewed.expires.timeIntervalSince(expires - 29 * 86_400)
            #expect(lifetime <= 397 * 86_400)
        }
    }

    @Test func aCertificateIsReplacedWhenTheHostGetsAnotherAddress() async throws {
        try await Self.with { served, _ in
            let names = NameList(["localhost", "192.168.1.5"])
            let certificate = try #require(
                try await ServerCertificate.open(.ownAuthority, of: served.hub, for: { names.value }, log: served.log)
            )
            let first = certificate.context
            // Addresses that are gone, or that the authority isn't valid for, are no reason for a new certificate.
            names.value = ["localhost", "8.8.8.8", "2001:db8::1", "hub.example"]
            await certificate.refresh()
            #expect(certificate.context === first)
            names.value = ["localhost", "10.1.2.3", "fd00::1"]
            await certificate.refresh()
            #expect(certificate.context !== first)
            #expect(Set(certificate.names) == ["localhost", "10.1.2.3", "fd00::1"])
        }
    }

    @Test func aHubWithoutAPrivateAddressNeedsACertificate() async throws {
        try await Self.with { served, _ in
            let error = await #expect(throws: HubError.self) {
                try await ServerCertificate.open(.ownAuthority, of: served.hub, for: { ["8.8.8.8"] }, log: served.log)
            }
            #expect(error?.code == .httpRefused && error?.reason.contains("--http-certificate") == true)
        }
    }

    @Test func certificatesInFilesAreUsedAndReadAgain() async throws {
        let authority = try CertificateAuthority(hostName: "host")
        func issued(_ name: String) throws -> (chain: [UInt8], key: [UInt8]) {
            let identity = try authority.issue(for: [name, "*.home.local", "localhost"])
            return (try identity.chain[0].pem(), try identity.key.pem())
        }
        let first = try issued("first.local")
        try await Self.withFile(first.chain) { chain in
            try await Self.withFile(first.key) { key in
                try await ServedHub.with(security: .files(certificate: chain, key: key)) { served in
                    try await Self.withFile(try authority.certificate.pem()) { trusted in
                        func status(_ host: String) async throws -> String {
                            let name = "\(host):\(served.port)"
                            return try await ShellScript.run(
                                "curl -sS --cacert \(trusted) -o /dev/null -w '%{http_code}' "
                                    + "--resolve \(name):127.0.0.1 https://\(name)/ || true"
                            )
                        }
                        // The names in the certificate are the hub's.
                        #expect(try await status("first.local") == "200")
                        #expect(try await status("any.home.local") == "200")
                        #expect(try await status("second.local").contains("SSL"))
                        #expect(served.listener.fingerprint == nil)
                        let second = try issued("second.local")
                        // A key that doesn't belong to the certificate isn't used.
                        try Data(second.chain).write(to: URL(filePath: chain))
                        try await served.streamClock.advance(by: ServerCertificate.refreshInterval, afterSleepers: 2)
                        #expect(try await status("first.local") == "200")
                        try Data(second.key).write(to: URL(filePath: key))
                        while try await status("second.local") != "200" {
                            try await served.streamClock.advance(
                                by: ServerCertificate.refreshInterval,
                                afterSleepers: 2
                            )
                        }
                    }
                }
            }
        }
    }

    // MARK: Connections

    @Test func oldVersionsOfTLSAreRefused() async throws {
        try await Self.with { served, _ in
            for version in ["-tls1", "-tls1_1"] {
                let output = try await ShellScript.run(
                    "openssl s_client -cipher DEFAULT@SECLEVEL=0 \(version) -connect 127.0.0.1:\(served.port) || true"
                )
                #expect(output.contains("protocol version"), "\(output)")
            }
            let output = try await ShellScript.run("openssl s_client -tls1_2 -connect 127.0.0.1:\(served.port) || true")
            #expect(output.contains("ECDHE") && output.contains("Secure Renegotiation IS supported"), "\(output)")
        }
    }

    @Test func aClientCannotRenegotiate() async throws {
        try await Self.with { served, _ in
            // The line “R” makes the client ask for it. It ends with its input, which is open until it has the answer.
            let script = """
                cd "$(mktemp -d)"; trap 'rm -rf "$PWD"' EXIT; mkfifo input
                openssl s_client -tls1_2 -connect 127.0.0.1:\(served.port) <input >output 2>&1 & client=$!
                exec 3>input; echo R >&3
                until grep -q 'no renegotiation' output || ! kill -0 $client 2>/dev/null; do sleep 0.05; done
                exec 3>&-; wait $client || true; cat output
                """
            let output = try await ShellScript.run("(\(script))")
            #expect(output.contains("no renegotiation"), "\(output)")
        }
    }

    @Test(arguments: [
        ("unknown-protocol", "refused"), ("garbage", "ended"), ("truncated", "ended"),
        ("orderly", "HTTP/1.1 200 OK"),
    ])
    func aConnectionEndsAsItShould(behavior: String, outcome: String) async throws {
        try await Self.with { served, authority in
            #expect(try await Self.client(behavior, served, authority) == outcome)
            while served.listener.connections != 0 { try await Task.sleep(for: .milliseconds(10)) }
        }
    }

    @Test(arguments: ["no-byte", "silent-handshake"]) func aHandshakeHasATimeLimit(behavior: String) async throws {
        var limits = HTTPLimits()
        limits.connection.handshakeTime = .milliseconds(50)
        try await Self.with(limits) { served, authority in
            let outcome = try await Self.client(behavior, served, authority)
            #expect(outcome == "received 0")
        }
    }

    @Test func aClientThatReadsNothingIsDisconnected() async throws {
        var limits = HTTPLimits()
        limits.connection.stallTime = .milliseconds(50)
        let files = ["index.html": Array("@ASSETS@".utf8), "large.png": [UInt8](repeating: 32, count: 16 << 20)]
        try await Self.with(limits, files: files) { served, authority in
            let path = "/assets/\(PageFiles(files).hash)/large.png"
            let client = try PeerPython.start("tls_client.py", ["\(served.port)", authority, "unread", path])
            _ = try await client.line("the beginning of the file") { $0 == "waiting" }
            while served.listener.connections != 0 { try await Task.sleep(for: .milliseconds(10)) }
            try client.send("")
            let line = try await client.line("the rest") { $0.hasPrefix("received") }
            #expect(try #require(Int(line.dropFirst(9))) < 16 << 20)
            await client.exit()
        }
    }

    // MARK: Without encryption

    @Test func plainHTTPIsSentToHTTPS() async throws {
        try await Self.with { served, _ in
            let page = PageClient(port: served.port)
            let redirect = try await page.get("/room/1?home=2")
            #expect(redirect.status == 308)
            #expect(redirect.headers["location"] == "https://127.0.0.1:\(served.port)/room/1?home=2")
            // Nothing is done, and the code can still be used.
            let code = await served.hub.createLogin().code
            let refused = try await page.post("/login", #"{"code":"\#(code)"}"#)
            #expect(refused.status == 403 && String(decoding: refused.body, as: UTF8.self).contains("https://"))
            #expect(try await page.get("/", ["Host": "evil.test:\(served.port)"]).status == 421)
            let body = #"{"code":"\#(code)","name":"curl"}"#
            let signedIn = try await ShellScript.run(
                "curl -sSk -H 'Content-Type: application/json' -d '\(body)' https://localhost:\(served.port)/login"
            )
            #expect(signedIn.contains(#""token""#), "\(signedIn)")
        }
    }

    @Test func theCertificateCanBeFetchedAndComparedBeforeItIsTrusted() async throws {
        try await Self.with { served, authority in
            let page = PageClient(port: served.port)
            let fingerprint = try #require(served.listener.fingerprint)
            let html = try await page.get("/trust")
            #expect(html.status == 200 && html.headers["content-type"] == "text/html; charset=utf-8")
            #expect(html.headers["content-security-policy"]?.contains("default-src 'none'") == true)
            let text = String(decoding: html.body, as: UTF8.self)
            #expect(text.contains(fingerprint) && !text.contains("<script") && !text.contains("style="))
            let file = try await page.get("/trust/hearth.crt")
            #expect(file.headers["content-type"] == "application/x-x509-ca-cert")
            let der = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString).crt")
            try file.body.write(to: der)
            defer { try? FileManager.default.removeItem(at: der) }
            let shown = try await ShellScript.run(
                "openssl x509 -inform der -in \(der.path) -noout -fingerprint -sha256 -ext nameConstraints"
            )
            #expect(
                shown.contains(fingerprint) && shown.contains("critical") && shown.contains("DNS:local"),
                "\(shown)"
            )
            let description = try await page.get("/trust.json")
            #expect(description.json["fingerprint"] as? String == fingerprint)
            // The owner compares it with what the command prints.
            #expect(await served.hub.createLogin().fingerprint == fingerprint)
        }
        try await ServedHub.with { served in
            let missing = try await PageClient(port: served.port).get("/trust.json")
            #expect(missing.status == 404)
        }
    }

    // MARK: Name constraints

    @Test func aStolenAuthorityCannotPoseAsABank() async throws {
        let authority = try CertificateAuthority(hostName: "hub")
        #expect(
            try authority.permitted(of: ["bank.example", "8.8.8.8", "2001:db8::1", "hubs", "evil.hub.example"]).isEmpty
        )
        let own = [
            "hub", "hub.local", "localhost", "10.0.0.1", "172.31.0.1", "192.168.178.20", "fd12::1", "fe80::1", "::1",
        ]
        #expect(try authority.permitted(of: own) == own)
        // OpenSSL agrees about a certificate that the authority issued all the same.
        let forged = try authority.issue(for: ["bank.example"])
        let honest = try authority.issue(for: ["hub.local", "192.168.178.20"])
        try await Self.withFile(try authority.certificate.pem()) { trusted in
            for (identity, outcome) in [(forged, "permitted subtree violation"), (honest, "OK")] {
                try await Self.withFile(try identity.chain[0].pem()) { certificate in
                    let output = try await ShellScript.run(
                        "openssl verify -x509_strict -purpose sslserver -CAfile \(trusted) \(certificate) || true"
                    )
                    #expect(output.contains(outcome), "\(output)")
                }
            }
        }
    }
}

/// The names of a host, which change during a test.
private final class NameList: @unchecked Sendable {
    // This is a class because a test and a certificate share it. Only the test changes it, while nobody else reads it.

    var value: [String]

    init(_ value: [String]) {
        self.value = value
    }
}
