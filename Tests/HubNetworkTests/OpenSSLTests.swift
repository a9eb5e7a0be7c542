import Foundation
import HAP
import HomeIdentity
import HubNetwork
import NIOCore
import NetworkDoors
import PeerProcess
import TLS
import Testing

/// What OpenSSL's own client says of the hub's port.
@Suite struct OpenSSLTests {
    /// Runs OpenSSL's client in a folder with the files of a device, until the hub has ended the connection or answered.
    ///
    /// - Parameter make: A script that makes `device.pem`; `nil` for the device's own key and certificate.
    private static func client(
        _ options: String,
        _ network: TestNetwork,
        as device: IdentityKey? = nil,
        make script: String? = nil
    ) async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-link-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        if let device {
            let pem = try TLSIdentity(ed25519Seed: device.seed).pem()
            try Data(pem).write(to: folder.appending(path: "device.pem"))
        }
        let request = #"{"jsonrpc":"2.0","id":1,"method":"session.hello","params":{}}"#
        return try await ShellScript.run(
            """
            cd \(folder.path); \(script ?? "true"); mkfifo input
            openssl s_client -connect 127.0.0.1:\(network.port) \(options) <input >output 2>&1 & client=$!
            exec 3>input; echo '\(request)' >&3
            until grep -q '"result"' output || ! kill -0 $client 2>/dev/null; do sleep 0.05; done
            exec 3>&-; wait $client || true; cat output
            """
        )
    }

    @Test func aDeviceWithItsKeyGetsAnAnswer() async throws {
        try await TestNetwork.with { network in
            let device = network.device()
            let options = "-cert device.pem -key device.pem -alpn hearth/1"
            let output = try await Self.client(options, network, as: device)
            #expect(output.contains("TLSv1.3"), "\(output)")
            #expect(output.contains("ALPN protocol: hearth/1"), "\(output)")
            #expect(output.lowercased().contains("peer signature type: ed25519"), "\(output)")
            #expect(output.contains(#""result":"session.hello""#), "\(output)")
            // Neither tickets nor early data.
            #expect(!output.contains("Post-Handshake New Session Ticket"), "\(output)")
        }
    }

    /// A script that replaces the certificate in a file by one of the same key that is valid from one year to another.
    private static func redate(_ file: String, _ years: (Int, Int)) -> String {
        """
        openssl pkey -in \(file) -out key; openssl req -new -key key -subj /CN=device -out request; touch index
        printf '[ca]\ndefault_ca=a\n[a]\ndatabase=index\nnew_certs_dir=.\ndefault_md=default\npolicy=p\n' >ca.cnf
        printf 'rand_serial=yes\n[p]\ncommonName=optional\n' >>ca.cnf
        openssl ca -config ca.cnf -batch -selfsign -notext -keyfile key -in request -out certificate \\
            -startdate \(years.0)0101000000Z -enddate \(years.1)0101000000Z 2>log
        cat key certificate >\(file)
        """
    }

    @Test(arguments: [(1971, 1972), (2098, 2099)])
    func theHubIgnoresTheDatesOfADevicesCertificate(from: Int, to: Int) async throws {
        try await TestNetwork.with { network in
            let device = network.device()
            let options = "-cert device.pem -key device.pem -alpn hearth/1"
            let script = Self.redate("device.pem", (from, to))
            let output = try await Self.client(options, network, as: device, make: script)
            #expect(output.contains(#""result":"session.hello""#), "\(output)")
        }
    }

    @Test(arguments: [(1971, 1972), (2098, 2099)])
    func aDeviceIgnoresTheDatesOfAHubsCertificate(from: Int, to: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-link-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (hub, device) = (IdentityKey(), IdentityKey())
        let file = folder.appending(path: "hub.pem")
        try Data(TLSIdentity(ed25519Seed: hub.seed).pem()).write(to: file)
        try await ShellScript.run("cd \(folder.path); \(Self.redate("hub.pem", (from, to)))")
        let server = try PeerProcess(
            URL(filePath: "/usr/bin/openssl"),
            ["s_server", "-accept", "127.0.0.1:0", "-cert", file.path, "-key", file.path, "-Verify", "1", "-alpn"]
                + ["hearth/1"]
        )
        let line = try await server.line("the port") { $0.hasPrefix("ACCEPT ") }
        let port = try #require(line.split(separator: ":").last.flatMap { Int($0) })
        let link = try TestLink(
            over: LinkTransport(
                to: SocketAddress(ipAddress: "127.0.0.1", port: port),
                as: LinkIdentity(device),
                hubs: [hub.publicKey]
            )
        )
        async let call = link.call("session.hello")
        _ = try await server.line("the device's request") { $0.contains(#""method":"session.hello""#) }
        link.close()
        _ = try? await call
        await server.terminate()
    }

    @Test func anotherKeyIsRefused() async throws {
        try await TestNetwork.with { network in
            let options = "-cert device.pem -key device.pem -alpn hearth/1"
            let output = try await Self.client(options, network, as: IdentityKey())
            #expect(output.contains("alert") && !output.contains("result"), "\(output)")
            #expect(network.server.sessionCount == 0)
        }
    }

    @Test func noCertificateIsRefused() async throws {
        try await TestNetwork.with { network in
            network.door.invite()
            let output = try await Self.client("-alpn hearth/1", network)
            #expect(output.contains("SSL alert number 116"), "\(output)")
        }
    }

    @Test(arguments: ["-algorithm RSA -pkeyopt rsa_keygen_bits:2048", "-algorithm EC -pkeyopt ec_paramgen_curve:P-256"])
    func keysOfOtherKindsAreRefused(kind: String) async throws {
        try await TestNetwork.with { network in
            network.door.invite()
            let script = """
                openssl genpkey \(kind) -out device.pem
                openssl req -x509 -new -key device.pem -subj /CN=device -days 10 >certificate; cat certificate >>device.pem
                """
            let output = try await Self.client(
                "-cert device.pem -key device.pem -alpn hearth/1",
                network,
                make: script
            )
            #expect(output.contains("alert") && !output.contains("result"), "\(output)")
            #expect(network.server.sessionCount == 0)
        }
    }

    @Test func aSecondCertificateIsRefused() async throws {
        try await TestNetwork.with { network in
            let device = network.device()
            let script = """
                openssl genpkey -algorithm ED25519 -out other.key
                openssl req -x509 -new -key other.key -subj /CN=other -days 10 -out other.pem
                """
            let options = "-cert device.pem -key device.pem -cert_chain other.pem -alpn hearth/1"
            let output = try await Self.client(options, network, as: device, make: script)
            #expect(output.contains("alert") && !output.contains("result"), "\(output)")
        }
    }

    @Test(arguments: ["-tls1_2", "-tls1_1"])
    func oldVersionsOfTLSAreRefused(version: String) async throws {
        try await TestNetwork.with { network in
            let device = network.device()
            let options = "\(version) -cipher DEFAULT@SECLEVEL=0 -cert device.pem -key device.pem -alpn hearth/1"
            let output = try await Self.client(options, network, as: device)
            #expect(output.contains("SSL alert number 70"), "\(output)")
        }
    }

    @Test func aDeviceMustNameAProtocol() async throws {
        try await TestNetwork.with { network in
            let device = network.device()
            let output = try await Self.client("-cert device.pem -key device.pem", network, as: device)
            #expect(!output.contains("result"), "\(output)")
            let other = try await Self.client("-cert device.pem -key device.pem -alpn h2", network, as: device)
            #expect(other.contains("SSL alert number 120"), "\(other)")
            #expect(network.server.sessionCount == 0)
        }
    }

    @Test func aCertificateHoldsNothingButTheKey() async throws {
        let seed = [UInt8](repeating: 7, count: 32)
        let identity = try TLSIdentity(ed25519Seed: seed)
        let der = try identity.chain[0].der()
        #expect(try TLSIdentity(ed25519Seed: seed).chain[0].der() == der)
        #expect(der.count < 230)
        #expect(identity.key.ed25519PublicKey == IdentityKey(seed: seed)?.publicKey.bytes)
        let pem = String(decoding: try identity.chain[0].pem(), as: UTF8.self)
        let text = try await ShellScript.run("openssl x509 -noout -text <<'END'\n\(pem)END")
        #expect(text.contains("Not Before: Jan  1 00:00:00 2020 GMT"), "\(text)")
        #expect(text.contains("Not After : Dec 31 23:59:59 9999 GMT"), "\(text)")
        #expect(text.contains("Subject: \n") && !text.contains("X509v3 extensions"), "\(text)")
    }
}
