import Foundation
import NetworkLab
import PeerProcess
import Testing

/// Hearth's packets as decoded by Wireshark.
struct CaptureTests {
    @Test func noPacketOfOursIsMalformedAndEachIsMarkedAsItMustBe() async throws {
        try await NetworkLab.with(TwoHostsTests.alpha, TwoHostsTests.beta) { lab in
            let capture = try await Capture.start(on: lab["beta"])
            let avahi = try await AvahiHost.start(on: lab["beta"])
            _ = try await avahi.publish("Theirs", port: 5151)
            let ours = try await OurHost.start(on: lab["alpha"])
            try ours.browse()
            try ours.send("resolve", ["name": "Nobody", "type": Lamp.type, "seconds": 2])
            try ours.startPublishing("Küchen.Lampe", txt: Lamp.txt, subtypes: ["_colour"])
            #expect(try await ours.established("Küchen.Lampe") == "Küchen.Lampe")
            #expect(try await ours.publish("Theirs", port: 1) == "Theirs (2)")
            try await avahi.sees("Küchen.Lampe") { $0.txt == Lamp.txt }
            try await ours.update("Küchen.Lampe", txt: ["long": String(repeating: "x", count: 200)])
            try await avahi.sees("Küchen.Lampe") { $0.txt.keys.contains("long") }
            try await ours.event("refused") { $0.error == "timedOut" }
            await ours.end()
            try await avahi.misses("Theirs (2)")
            await capture.stop()

            let address = try await lab["alpha"].run("ip -brief link show eth0 | tr -s ' ' | cut -d ' ' -f 3")
            let mine = "eth.src == \(address)"
            // The severity of errors. Warnings are expected for repeated questions, because in DNS they indicate lost
            // responses.
            let malformed = try await capture.packets("_ws.malformed || _ws.expert.severity >= 0x800000")
            #expect(malformed == [])
            #expect(try await capture.packets("\(mine) && mdns && dns.flags.response == 0").count > 5)
            #expect(try await capture.packets("\(mine) && mdns && dns.flags.response == 1").count > 5)
            // To the group, from and to the port, with the hop limit; no ID and no codes; responses are authoritative.
            let wrong = [
                "ip && (ip.ttl != 255 || ip.dst != 224.0.0.251)",
                "ipv6 && (ipv6.hlim != 255 || ipv6.dst != ff02::fb)",
                "udp.srcport != 5353 || udp.dstport != 5353 || dns.id != 0",
                "dns.flags.opcode != 0 || dns.flags.rcode != 0 || dns.flags.truncated != 0",
                "dns.flags.response == 1 && (dns.flags.authoritative != 1 || dns.count.queries != 0)",
                "dns.flags.response == 0 && dns.count.auth_rr == 0 && dns.resp.cache_flush == 1",
                "ip && ip.len > 1500 || ipv6 && ipv6.plen > 1460",
            ]
            for filter in wrong {
                let packets = try await capture.packets("\(mine) && mdns && (\(filter))")
                #expect(packets == [], "\(filter)")
            }
        }
    }
}

/// Packets that `tshark` captures to a file on a host.
private struct Capture {
    private static let file = "/run/capture.pcapng"

    let host: LabHost
    let program: PeerProcess

    static func start(on host: LabHost) async throws -> Capture {
        let script = "exec tshark -i eth0 -f 'udp port 5353' -w \(file) 2>&1"
        let program = try host.start("/bin/bash", ["-c", script])
        _ = try await program.line("tshark's start") { $0.contains("Capturing on") }
        return Capture(host: host, program: program)
    }

    func stop() async {
        program.kill(SIGINT)
        await program.exit()
    }

    /// Returns the packets that match a display filter, as tshark decodes them.
    func packets(_ filter: String) async throws -> [String] {
        try await host.run("tshark -r \(Self.file) -Y '\(filter)' 2>/dev/null").split(separator: "\n").map(String.init)
    }
}
