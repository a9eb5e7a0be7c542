import NetworkLab
import PeerProcess
import Testing

/// Browsing by subtype (RFC 6763 section 7.1).
struct SubtypeTests {
    private static let subtype = "_colour._sub.\(Lamp.type)"

    @Test(arguments: PeerKind.allCases)
    func aPeerFindsOurServiceByItsSubtype(kind: PeerKind) async throws {
        try await NetworkLab.with(TwoHostsTests.alpha, TwoHostsTests.beta) { lab in
            let ours = try await OurHost.start(on: lab["alpha"])
            try ours.startPublishing("Colourful", port: 1, subtypes: ["_colour"])
            try ours.startPublishing("Plain", port: 2)
            #expect(try await ours.established("Colourful") == "Colourful")
            #expect(try await ours.established("Plain") == "Plain")
            let peer = try await kind.start(on: lab["beta"])
            try await peer.sees("Colourful", Self.subtype) { $0.port == 1 }
            try await peer.sees("Plain") { $0.port == 2 }
            try await peer.sees("Colourful") { $0.port == 1 }
        }
    }

    @Test func weFindAServiceOfAvahiByItsSubtype() async throws {
        try await NetworkLab.with(TwoHostsTests.alpha, TwoHostsTests.beta) { lab in
            let avahi = try await AvahiHost.start(on: lab["beta"])
            let program = try avahi.startPublishing("Colourful", port: 1, subtypes: ["_colour"])
            #expect(try await avahi.established(program) == "Colourful")
            #expect(try await avahi.publish("Plain", port: 2) == "Plain")
            let ours = try await OurHost.start(on: lab["alpha"])
            let seen = try await ours.sees("Colourful", Self.subtype) { $0.port == 1 }
            #expect(seen.txt == Lamp.txt)
        }
    }

    @Test func weFindAServiceOfZeroconfByItsSubtype() async throws {
        try await NetworkLab.with(TwoHostsTests.alpha, TwoHostsTests.beta) { lab in
            let peer = try await ZeroconfHost.start(on: lab["beta"])
            #expect(try await peer.publish("Colourful", Self.subtype, port: 1, txt: Lamp.txt) == "Colourful")
            let ours = try await OurHost.start(on: lab["alpha"])
            let seen = try await ours.sees("Colourful", Self.subtype) { $0.port == 1 }
            #expect(seen.txt == Lamp.txt)
        }
    }
}
