import DNSSD
import Foundation
import HAP
import HomeModel

/// What a hub says to other hubs of a home: that the home is its own, since when, and which of them it has heard.
///
/// It is signed with the home's controller key, which the hubs of one home share and nobody else has. It names the home by
/// an identity that is used nowhere else, so that others learn only that some hub is there.
struct HubClaim: Hashable, Sendable {
    /// One start of one hub; drawn at random, so that nobody else can have answered it before.
    typealias Run = UInt64

    /// Which of two hubs of one home is to go on.
    struct Rank: Hashable, Sendable {
        /// Grows with each restoration and each ``HomeHub/claim(_:now:)``; in milliseconds since 1970 if clocks were right.
        var generation: Int
        /// When the hub was started, in milliseconds since 1970, and later than it was ever started before.
        var start: Int
        /// Which start it is.
        var run: Run

        /// Whether a hub of this rank is to go on in the other's place: the one that was restored later; and of two that
        /// run from copies of one data folder the one that was started first, as apps and people are with it already.
        func outranks(_ other: Rank) -> Bool {
            (generation, other.start, other.run) > (other.generation, start, run)
        }
    }

    /// The service by which hubs tell one another.
    enum Key {
        static let version = "v"
        static let home = "home"
        static let generation = "gen"
        static let start = "start"
        static let run = "run"
        static let heard = "heard"
        static let signature = "sig"
    }

    private static let version = "1"
    /// Keeps these signatures apart from all others of the key.
    private static let context = "hearth hub claim"
    /// The most hubs that a claim answers.
    static let heardLimit = 4
    /// A number that is larger is no claim's: there has to be room for later ones.
    private static let largestNumber = 1 << 53

    /// The home.
    var home: UUID
    /// Which hub goes on.
    var rank: Rank
    /// The starts of lesser hubs that this one has heard, so that each knows that it is answered and not that somebody
    /// repeats what was once said.
    var heard: [Run] = []
}

extension HubClaim {
    /// The description of the service that carries the claim.
    ///
    /// - Parameter key: The home's controller key.
    func txt(signedBy key: LongTermKeyPair) throws(CryptographyFailure) -> TXTRecord {
        var txt = TXTRecord()
        for (key, value) in fields { txt[key] = value }
        txt[Key.signature] = Data(try key.signature(for: signedBytes)).base64EncodedString()
        return txt
    }

    /// Reads the description of a service.
    ///
    /// - Parameters:
    ///   - home: The home that it is to be about.
    ///   - key: The public half of that home's controller key.
    /// - Returns: The claim; nil if it is about another home, no claim, or not signed with that key.
    init?(_ txt: TXTRecord, of home: UUID, signedWith key: LongTermPublicKey) {
        guard txt[Key.version] == Self.version, txt[Key.home] == Self.name(of: home),
            let generation = Self.number(txt[Key.generation]), let start = Self.number(txt[Key.start]),
            let run = txt[Key.run].flatMap({ Run($0, radix: 16) }),
            let signature = txt[Key.signature].flatMap({ Data(base64Encoded: $0) })
        else { return nil }
        let heard = (txt[Key.heard] ?? "").split(separator: ",").map { Run($0, radix: 16) }
        guard heard.count <= Self.heardLimit, !heard.contains(nil) else { return nil }
        self.init(
            home: home,
            rank: Rank(generation: generation, start: start, run: run),
            heard: heard.compactMap(\.self)
        )
        // Of what was read rather than of what came, so that each claim has one form.
        guard key.isValidSignature(Array(signature), for: signedBytes) else { return nil }
    }

    /// What hubs call a home among themselves.
    static func name(of home: UUID) -> String { UUID(nameSpace: home, name: context).uuidString }

    /// How a start is written.
    static func text(_ run: Run) -> String { String(run, radix: 16) }

    private var fields: [(String, String)] {
        [
            (Key.version, Self.version), (Key.home, Self.name(of: home)), (Key.generation, "\(rank.generation)"),
            (Key.start, "\(rank.start)"), (Key.run, Self.text(rank.run)),
            (Key.heard, heard.map(Self.text).joined(separator: ",")),
        ]
    }

    private var signedBytes: [UInt8] {
        Array((Self.context + fields.map { "\n\($0)=\($1)" }.joined()).utf8)
    }

    private static func number(_ text: String?) -> Int? {
        guard let text, let number = Int(text), (0...largestNumber).contains(number) else { return nil }
        return number
    }
}
