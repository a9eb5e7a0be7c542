import AccessoryCheck
import HAP
import HAPCatalog
import Synchronization

@testable import HAPServer

/// For each attack, an accessory that it harms.
enum AttackTwins {
    static let all: [String: @Sendable () -> Twin] = {
        var all: [String: @Sendable () -> Twin] = [:]
        for table in [paired, requests, floods, unpaired] { all.merge(table) { first, _ in first } }
        return all
    }()

    private static let paired: [String: @Sendable () -> Twin] = [
        "attacks.unverified": {
            .status("/characteristics", .put, .noContent, insteadOf: .connectionAuthorizationRequired)
        },
        "attacks.methods": { .status("/prepare", .post, .ok, insteadOf: .methodNotAllowed) },
        "attacks.secure-message": { .status("/secure-message", .post, .ok, insteadOf: .badRequest) },
        "attacks.verify-low-order": { .credulous("/pair-verify") },
        "attacks.verify-impostor": { .credulous("/pair-verify") },
        "attacks.verify-m3": { .credulous("/pair-verify") },
        "attacks.verify-order": { .credulous("/pair-verify") },
        "attacks.verify-replay": { .credulous("/pair-verify") },
        "attacks.verify-reflection": { .credulous("/pair-verify") },
        "attacks.verify-connection": { .credulous("/pair-verify") },
        "attacks.verify-removed": { .credulous("/pair-verify") },
        "attacks.pairings-malformed": { .credulous("/pairings") },
        "attacks.pairings-user": { .credulous("/pairings") },
        "attacks.pairings-identifiers": {
            // It takes identifiers for the same that differ in case alone.
            .request { request, _ in
                guard request.path == "/pairings", RawMessage.values(request.body)[0] == [4] else { return }
                let id = RawMessage.values(request.body)[1] ?? []
                request.body = RawMessage.tlv(
                    (6, [1]),
                    (0, [4]),
                    (1, id.map { (97...122).contains($0) ? $0 - 32 : $0 })
                )
            }
        },
        "attacks.removed-controller": { .ignores(method: 4) },
        "attacks.removed-requests": { .ignores(method: 4) },
        "attacks.setup-paired": { .credulous("/pair-setup") },
        "attacks.frame-lengths": { .tolerant },
        "attacks.frame-forgeries": { .tolerant },
        "attacks.frame-session": { .tolerant },
    ]

    /// Answers a request in the clear with success if its bytes contain a text.
    private static func pleased(by text: String) -> Twin {
        var twin = Twin()
        twin.rewriter.input = { bytes, _, isSecured in
            !isSecured && bytes.text.contains(text)
                ? .answered(HTTPResponse(status: .noContent).encoded()) : .received
        }
        return twin
    }

    /// Takes a write whose body contains a text for a valid one of the characteristic that was read last.
    private static func repairs(_ text: String) -> Twin {
        let last = Mutex("1.1")
        return .request { request, _ in
            guard request.path == "/characteristics" else { return }
            if request.method == .get, let id = request.query?.dropFirst(3).prefix(while: { $0 != "&" }) {
                last.withLock { $0 = String(id) }
            } else if request.method == .put, request.body.text.contains(text) {
                let id = last.withLock { $0.split(separator: ".") }
                request.body = Array(
                    #"{"characteristics":[{"aid":\#(id[0]),"iid":\#(id[1]),"value":true}]}"#.utf8
                )
            }
        }
    }

    private static let requests: [String: @Sendable () -> Twin] = [
        "attacks.http-lengths": { pleased(by: "Content-Length: -1") },
        "attacks.http-encodings": { pleased(by: "Transfer-Encoding: identity") },
        "attacks.http-lines": { pleased(by: "no colon") },
        "attacks.http-oversize": { pleased(by: "A: b\r\nA: b\r\n") },
        "attacks.json-malformed": { repairs("}]}x") },
        "attacks.json-depth": { repairs(String(repeating: "[", count: 1000)) },
        "attacks.json-numbers": { repairs("1e400") },
        "attacks.json-strings": { repairs(#"\ud800"#) },
        "attacks.json-duplicates": { repairs(#""aid":1,"aid":1"#) },
        "attacks.json-kinds": { repairs(#""aid":"1""#) },
        "attacks.json-utf8": { .status("/characteristics", .put, .noContent, insteadOf: .badRequest) },
        "attacks.json-values": { repairs(#""value":"true""#) },
        "attacks.json-members": { repairs(#""ev":2"#) },
        "attacks.json-prepare": {
            .change("/prepare") { response, _ in
                response = HTTPResponse(status: .ok, json: Array(#"{"status":0}"#.utf8))
            }
        },
        "attacks.queries": { exhausted(by: { $0.query == "id=1.2%00" }, after: 0) },
        "attacks.many-ids": {
            // It reads as many as it has room for.
            .request { request, _ in
                if request.target.utf8.count > 1024 { request.target = "/characteristics?id=1.9,1.9999" }
            }
        },
    ]

    /// Serves nobody for as long as a flood lasts: once a request was seen often, it has no sessions left.
    private static func exhausted(
        by isFlood: @escaping @Sendable (HTTPRequest) -> Bool,
        after limit: Int = 30
    ) -> Twin {
        let count = Mutex(0)
        return .answers { request, _ in
            let count = count.withLock { count in
                if isFlood(request) { count += 1 }
                return count
            }
            return count > limit ? .overloaded : nil
        }
    }

    /// Verifies nobody on connections behind a number.
    private static func crowded(after limit: Int) -> Twin {
        .answers { request, connection in
            request.path == "/pair-verify" && connection.rawValue > limit ? .overloaded : nil
        }
    }

    private static let floods: [String: @Sendable () -> Twin] = [
        "attacks.flood-slow": { crowded(after: 40) },
        "attacks.flood-verify-junk": { exhausted(by: { $0.body == [0xFF] }) },
        "attacks.flood-setup-junk": { exhausted(by: { $0.body == [0xFF] }) },
        "attacks.flood-half-verified": { exhausted(by: { $0.path == "/pair-verify" }) },
        "attacks.flood-sessions": {
            var twin = Twin()
            twin.limits = { $0.verifiedConnections = 64 }
            return crowded(after: 60)
        },
        "attacks.flood-churn": { crowded(after: 200) },
        "attacks.flood-unread": { exhausted(by: { $0.path == "/accessories" }) },
    ]

    private static let unpaired: [String: @Sendable () -> Twin] = [
        "attacks.setup-tlv": { Twin.credulous("/pair-setup").unpaired },
        "attacks.srp-zero": { Twin.credulous("/pair-setup").unpaired },
        "attacks.srp-long": { Twin.credulous("/pair-setup").unpaired },
        "attacks.srp-proof": { Twin.credulous("/pair-setup").unpaired },
        "attacks.setup-order": { Twin.credulous("/pair-setup").unpaired },
        "attacks.setup-m5": { Twin.credulous("/pair-setup").unpaired },
        "attacks.setup-split": {
            // It takes the salt and key of a setup that wasn't there.
            Twin.change("/pair-setup") { response, request in
                if RawMessage.values(request.body)[0x13] == [0, 0, 0, 1] { response.body = [6, 1, 2] }
            }.unpaired
        },
        "attacks.setup-transient": {
            Twin.status("/accessories", .get, .ok, insteadOf: .badRequest).unpaired
        },
        "attacks.setup-transient-clear": {
            // It answers what arrived in the clear, before it secures the connection.
            var twin = Twin.response { response, request, _ in
                response.body.starts(with: [6, 1, 4, 4])
                    ? response.encoded() + HTTPResponse(status: .noContent).encoded() : nil
            }.unpaired
            twin.rewriter.input = { bytes, _, _ in
                guard bytes.starts(with: Array("POST /pair-setup".utf8)),
                    let behind = bytes.firstRange(of: Array("POST /identify".utf8))
                else { return .received }
                return .replaced(Array(bytes[..<behind.lowerBound]))
            }
            return twin
        },
        "attacks.setup-abandoned": { busyAfter(4) },
        "attacks.setup-replay": { Twin.credulous("/pair-setup").unpaired },
        "attacks.setup-overtaken": { Twin.credulous("/pair-setup").unpaired },
        "attacks.setup-flood": {
            Twin.answers { request, connection in
                // It forgets an attempt when others connect.
                request.path == "/pair-setup" && RawMessage.values(request.body)[6] == [5] && connection.rawValue > 20
                    ? HTTPResponse(status: .badRequest) : nil
            }.unpaired
        },
        "attacks.setup-afterwards": { busyAfter(3) },
    ]

    /// Answers that nobody can pair from a number of M1s on.
    private static func busyAfter(_ limit: Int) -> Twin {
        let count = Mutex(0)
        return Twin.change("/pair-setup") { response, request in
            guard RawMessage.values(request.body)[6] == [1] else { return }
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number > limit { response.body = [6, 1, 2, 7, 1, 1] }
        }.unpaired
    }
}
