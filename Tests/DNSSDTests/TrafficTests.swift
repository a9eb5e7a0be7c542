import Testing

@testable import DNSSD

/// Ten virtual minutes of a link with five hosts, decoded by Wireshark: the traffic compared with what RFC 6762 allows.
struct TrafficTests {
    /// A packet as tshark describes it.
    private struct Packet {
        var at: Double
        var source: String
        var isResponse: Bool
        var questions: [String]
        /// The answers, then the records of the other sections, each with its name, its type and, for a pointer, its
        /// target.
        var records: [String]
        var answers: Int
        var authorities: Int
    }

    @Test func hostsThatAdvertiseAndBrowseStayWithinTheLimits() async throws {
        let log = try Self.tenMinutes()
        #expect(try await CaptureFile.dissect(log, "-Y '_ws.malformed || _ws.expert.severity >= 0x800000'") == [])
        #expect(try await CaptureFile.dissect(log, "-Y mdns").count == log.count)
        let packets = try await Self.dissected(log)
        #expect(packets.count == log.count)

        for source in Set(packets.map(\.source)) {
            let own = packets.filter { $0.source == source }
            // Section 8.1: three probes for each name, 250 ms apart.
            let probes = Dictionary(
                grouping: own.filter { $0.authorities > 0 }.flatMap { packet in
                    packet.questions.map { (name: $0, at: packet.at) }
                },
                by: \.name
            )
            for (name, probes) in probes {
                let gaps = zip(probes, probes.dropFirst()).map { $1.at - $0.at }
                #expect(probes.count == 3 && gaps.filter { $0 < 0.249 }.isEmpty, "\(source) probed for \(name)")
            }
            // Section 5.2: of one question, intervals of at least a second that at least double.
            let browsing = own.filter { !$0.isResponse && $0.questions.contains("_hap._tcp.local 12") }.map(\.at)
            let gaps = zip(browsing, browsing.dropFirst()).map { $1 - $0 }
            #expect(gaps.filter { $0 < 0.999 }.isEmpty, "\(source)")
            #expect(zip(gaps, gaps.dropFirst()).filter { $1 < 2 * $0 - 0.001 }.isEmpty, "\(source): \(gaps)")
            #expect(browsing.count <= 10, "\(source)")
            // Section 5.2: known records are refreshed at 80% of their lifetime, here 96 of 120 seconds.
            let refreshes = Dictionary(
                grouping: own.filter { !$0.isResponse && $0.authorities == 0 }.flatMap(\.questions)
            ) { $0 }
            #expect(refreshes.filter { $1.count > 10 }.isEmpty, "\(source)")
            // Section 6: no record is multicast again within a second.
            var last: [String: Double] = [:]
            for packet in own where packet.isResponse {
                for record in Set(packet.records.prefix(packet.answers)) {
                    #expect(packet.at - (last[record] ?? -1) > 0.999, "\(source) repeated \(record) at \(packet.at)")
                    last[record] = packet.at
                }
            }
        }
        // Section 7.1: hosts that know all services get no answers. The remaining answers are for host records, which
        // live for two minutes.
        let quiet = packets.filter { (130..<290).contains($0.at) && $0.isResponse }
        #expect(quiet.filter { $0.records.prefix($0.answers).contains { $0.hasPrefix("_hap._tcp.local 12") } }.isEmpty)
        print(
            "ten minutes, five hosts: \(packets.count) packets, \(packets.filter(\.isResponse).count) of them answers"
        )
    }

    private static func tenMinutes() throws -> [VirtualNetwork.Transmission] {
        var network = VirtualNetwork(seed: 4, hosts: 4)
        var first: RegistrationID?
        for host in 0..<3 {
            for number in 1...2 {
                let service = ServiceAdvertisement(
                    instanceName: "Lamp \(host) \(number)",
                    type: .hap,
                    port: UInt16(1000 + number),
                    txt: ["c#": "1", "id": "AA:BB:CC:DD:E\(host):0\(number)"]
                )
                let id = try network.advertise(service, on: host)
                first = first ?? id
            }
        }
        for host in [1, 3] {
            network.act(host) { $0.browse(BrowseScope(.hap), at: $1) }
        }
        network.run(for: .seconds(120))
        let late = network.addHost()
        network.act(late) { $0.browse(BrowseScope(.hap), at: $1) }
        network.run(for: .seconds(180))
        let changed = try #require(first)
        let txt = try TXTRecord(dictionaryLiteral: ("c#", "2")).wire()
        network.act(0) { $0.update(changed, txt: txt, at: $1) }
        network.run(for: .seconds(120))
        network.act(2) { $0.withdrawAll(at: $1) }
        network.run(for: .seconds(180))
        #expect(network.services(of: .hap, on: late).count == 4)
        return network.log
    }

    private static func dissected(_ log: [VirtualNetwork.Transmission]) async throws -> [Packet] {
        let fields = [
            "frame.time_relative", "ip.src", "dns.flags.response", "dns.count.answers", "dns.count.auth_rr",
            "dns.qry.name", "dns.qry.type", "dns.resp.name", "dns.resp.type", "dns.ptr.domain_name", "dns.srv.service",
        ]
        let options = "-T fields -E 'separator=;' -E 'aggregator=|' " + fields.map { "-e \($0)" }.joined(separator: " ")
        return try await CaptureFile.dissect(log, options).map { line in
            let columns = line.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
            try #require(columns.count == fields.count)
            let lists = columns.map { $0.split(separator: "|").map(String.init) }
            // Each type has a separate list of identifying fields; the name of an SRV record is in its own list.
            var (names, targets, services) = (lists[7][...], lists[9][...], lists[10][...])
            let records = lists[8].map { type in
                switch type {
                case "12": "\(names.popFirst() ?? "") 12 \(targets.popFirst() ?? "")"
                case "33": "\(services.popFirst() ?? "") 33"
                default: "\(names.popFirst() ?? "") \(type)"
                }
            }
            return Packet(
                at: try #require(Double(columns[0])),
                source: columns[1],
                isResponse: ["1", "True"].contains(columns[2]),
                questions: zip(lists[5], lists[6]).map { "\($0) \($1)" },
                records: records,
                answers: try #require(Int(columns[3])),
                authorities: try #require(Int(columns[4]))
            )
        }
    }
}
