import NetworkLab
import PeerProcess
import Testing

/// Services that are found by a subtype of their type (RFC 6763 section 7.1).
@Suite(.timeLimit(.minutes(5))) struct SubtypeTests {
    private static let subtype = "_colour._sub.\(Lamp.type)"

    @Test(arguments: PeerKind.allCases.filter { $0 != .hearth })
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
}
