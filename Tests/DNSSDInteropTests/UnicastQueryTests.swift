import NetworkLab
import PeerProcess
import Testing

/// Plain DNS clients, which know only the port of multicast DNS (RFC 6762 sections 5.5 and 6.7).
struct UnicastQueryTests {
    private struct Reply: Decodable, Sendable {
        struct Record: Decodable, Hashable, Sendable {
            let name: String
            let type: Int
            let `class`: Int
            let ttl: Int
        }

        let id: Int
        let flags: Int
        let questions: [String]
        let answers: [Record]
    }

    private static let (pointer, service) = (12, 33)

    private func ask(_ host: LabHost, _ address: String, _ name: String, _ type: Int) async throws -> Reply {
        let client = try host.startPeer("dns_query.py", [address, "5353", name, "\(type)"])
        let reply = try await client.json(Reply.self, "the reply from \(address)") { $0.id == 4711 }
        await client.terminate()
        return reply
    }

    @Test(arguments: ["10.77.0.1", "224.0.0.251", "fd77::1", "ff02::fb%eth0"])
    func aPlainQuestionIsAnsweredToItsSender(address: String) async throws {
        let hosts = [HostPlan("alpha", "10.77.0.1/24", "fd77::1/64"), HostPlan("beta", "10.77.0.2/24", "fd77::2/64")]
        try await NetworkLab.with(hosts[0], hosts[1]) { lab in
            try await lab["beta"].run("ip route add 224.0.0.0/4 dev eth0")
            let ours = try await OurHost.start(on: lab["alpha"])
            #expect(try await ours.publish("Lamp") == "Lamp")
            let listed = try await ask(lab["beta"], address, Lamp.type + ".local", Self.pointer)
            #expect(listed.questions == [Lamp.type + ".local"] && listed.flags & 0x8400 == 0x8400)
            #expect(listed.answers == [.init(name: Lamp.type + ".local", type: Self.pointer, class: 1, ttl: 10)])
            let found = try await ask(lab["beta"], address, "lamp.\(Lamp.type).local", Self.service)
            // The top bit of the class isn't set, and the lifetime isn't longer than a plain client should cache.
            #expect(found.answers.map(\.type) == [Self.service] && found.answers.map(\.class) == [1])
            #expect(found.answers.map(\.ttl) == [10])
        }
    }

    /// Linux may deliver a packet from one network to the socket of another, depending on the sender's port, so several
    /// ports are used.
    @Test func onAHostWithTwoNetworksQuestionsAreHeardWhereTheyWereAsked() async throws {
        try await NetworkLab.with(
            networks: ["east", "west"],
            HostPlan(
                "alpha",
                [.init("eth0", to: "east", ["10.77.1.1/24"]), .init("eth1", to: "west", ["10.77.2.1/24"])]
            ),
            HostPlan("beta", [.init(to: "west", ["10.77.2.2/24"])]),
            HostPlan("gamma", [.init(to: "east", ["10.77.1.2/24"])])
        ) { lab in
            let ours = try await OurHost.start(on: lab["alpha"])
            #expect(try await ours.publish("Lamp") == "Lamp")
            for host in ["beta", "gamma"] {
                try await lab[host].run("ip route add 224.0.0.0/4 dev eth0")
                for _ in 0..<6 {
                    let reply = try await ask(lab[host], "224.0.0.251", Lamp.type + ".local", Self.pointer)
                    #expect(reply.answers.map(\.type) == [Self.pointer])
                }
            }
        }
    }
}
