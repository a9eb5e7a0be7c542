import DNSSD
import Foundation
import HAP
import HomeModel

/// A hub's claim to a home, announced to other hubs: its rank, and the hubs that it answers.
///
/// It is signed with the home's controller key, which only the hubs of that home have. It identifies the home by an ID
/// that is used nowhere else, so that others learn only that a hub exists.
struct HubClaim: Hashable, Sendable {
    /// The ID of one run of one hub. It is random, so that no answer to it can exist before the run.
    typealias Run = UInt64

    /// The precedence of a hub over other hubs of the same home.
    struct Rank: Hashable, Sendable {
        /// A number that grows with each restore and each ``HomeHub/claim(_:now:)``: milliseconds since 1970 if clocks
        /// are right.
        var generation: Int
        /// The time when the hub was started, in milliseconds since 1970; later than all its earlier starts.
        var start: Int
        /// The ID of the run.
        var run: Run

        /// Whether a hub of this rank takes precedence over another. The hub that was restored later wins. Of two that
        /// run from copies of one data folder, the one that started first wins, because apps and users already depend
        /// on it.
        func outranks(_ other: Rank) -> Bool {
            (generation, other.start, other.run) > (other.generation, start, run)
        }
    }

    /// The keys of the service's TXT record.
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
    /// Separates these signatures from all others made with the key.
    private static let context = "hearth hub claim"
    /// The maximum number of hubs that a claim answers.
    static let heardLimit = 4
    /// The largest valid number in a claim. It leaves room for later ones.
    private static let largestNumber = 1 << 53

    var home: UUID
    /// The hub's rank.
    var rank: Rank
    /// The run IDs of the hubs of lower rank that this one answers, which proves to them that the claim isn't a replay.
    var heard: [Run] = []
}

extension HubClaim {
    /// Returns the TXT record of the service that carries the claim.
    ///
    /// - Parameter key: The home's controller key.
    func txt(signedBy key: LongTermKeyPair) throws(CryptographyFailure) -> TXTRecord {
        var txt = TXTRecord()
        for (key, value) in fields { txt[key] = value }
        txt[Key.signature] = Data(try key.signature(for: signedBytes)).base64EncodedString()
        return txt
    }

    /// Parses the TXT record of a service.
    ///
    /// - Parameters:
    ///   - home: The home that the claim should be about.
    ///   - key: The public half of that home's controller key.
    /// - Returns: The claim; `nil` if it is invalid, about another home, or not signed with that key.
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
        // The signature covers the parsed values, not the received bytes, so that each claim has one form.
        guard key.isValidSignature(Array(signature), for: signedBytes) else { return nil }
    }

    /// Returns the ID of a home in claims.
    static func name(of home: UUID) -> String { UUID(nameSpace: home, name: context).uuidString }

    /// Returns the textual form of a run ID.
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
