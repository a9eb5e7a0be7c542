import AccessoryCheck
import HAP
import HAPCatalog
import Synchronization

@testable import HAPServer

/// For each check, an accessory that is broken so that the check fails.
enum Twins {
    static let all: [String: @Sendable () -> Twin] = {
        var all: [String: @Sendable () -> Twin] = [:]
        for table in [advertising, pairing, pairings, database, characteristics, wire, AttackTwins.all] {
            all.merge(table) { first, _ in first }
        }
        return all
    }()

    private static let m2 = RawMessage.tlv(
        (6, [2]),
        (2, [UInt8](repeating: 1, count: 16)),
        (3, [UInt8](repeating: 9, count: 384))
    )

    private static let advertising: [String: @Sendable () -> Twin] = [
        "advertising.device-id": { .txt("id", "aa:bb:cc:dd:ee:ff") },
        "advertising.configuration-number": { .txt("c#", "0") },
        "advertising.category": { .txt("ci", "lamp") },
        "advertising.feature-flags": { .txt("ff", nil) },
        "advertising.model": { .txt("md", "") },
        "advertising.protocol-version": { .txt("pv", "2.0") },
        "advertising.state-number": { .txt("s#", "2") },
        "advertising.unpaired": { .txt("sf", "4") },
        "advertising.setup-hash": { .txt("sh", "AAA") },
        "advertising.port": {
            var twin = Twin().unpaired
            twin.advertise = { advertisement in
                var advertisement = advertisement
                advertisement.port += 1
                return advertisement
            }
            return twin
        },
        "advertising.identity": { .txt("id", "AA:BB:CC:DD:EE:FF") },
        "advertising.paired": { .txt("sf", "1") },
        "advertising.removed": { .txt("sf", "2") },
        "advertising.goodbye": {
            var twin = Twin()
            twin.staysAdvertised = true
            return twin
        },
        "advertising.configuration-number-stable": {
            let number = Mutex(1)
            var twin = Twin().unpaired
            twin.advertise = { advertisement in
                var advertisement = advertisement
                advertisement.txt["c#"] = "\(number.withLock { number in number += 1; return number })"
                return advertisement
            }
            return twin
        },
    ]

    /// Counts the M1s of a connection, and of all.
    private static func countingM1(
        _ path: String,
        _ change: @escaping @Sendable (_ number: Int, _ isFirstConnection: Bool) -> [UInt8]?
    ) -> Twin {
        let first = Mutex<(connection: ConnectionID?, counts: [ConnectionID: Int])>((nil, [:]))
        return .response { _, request, connection in
            guard request.path == path, RawMessage.values(request.body)[6] == [1] else { return nil }
            let (number, isFirst) = first.withLock { state in
                if state.connection == nil { state.connection = connection }
                state.counts[connection, default: 0] += 1
                return (state.counts[connection, default: 0], state.connection == connection)
            }
            return change(number, isFirst).map { HTTPResponse.pairing($0).encoded() }
        }
    }

    private static let pairing: [String: @Sendable () -> Twin] = [
        "pair-setup.m2": {
            Twin.change("/pair-setup") { response, _ in
                response.body = RawMessage.tlv((6, [2]), (2, [1, 2, 3]), (3, [UInt8](repeating: 9, count: 384)))
            }.unpaired
        },
        "pair-setup.content-type": {
            Twin.change("/pair-setup") { response, _ in response.headers = [:] }.unpaired
        },
        "pair-setup.fresh-key": { Twin.change("/pair-setup") { response, _ in response.body = m2 }.unpaired },
        "pair-setup.restart": {
            countingM1("/pair-setup") { number, _ in number > 1 ? [6, 1, 2, 7, 1, 1] : nil }.unpaired
        },
        "pair-setup.busy": { countingM1("/pair-setup") { _, isFirst in isFirst ? nil : m2 }.unpaired },
        "pair-setup.abandoned": {
            countingM1("/pair-setup") { _, isFirst in isFirst ? nil : [6, 1, 2, 7, 1, 6] }.unpaired
        },
        "pair-setup.method": {
            Twin.change("/pair-setup") { response, request in
                if RawMessage.values(request.body)[0] == [1] { response.body = [6, 1, 2, 7, 1, 1] }
            }.unpaired
        },
        "pair-setup.unknown-types": {
            Twin.change("/pair-setup") { response, request in
                if request.body.contains(0x99) { response = HTTPResponse(status: .badRequest) }
            }.unpaired
        },
        "pair-setup.malformed": { Twin.credulous("/pair-setup").unpaired },
        "pair-setup.order": { Twin.credulous("/pair-setup").unpaired },
        "pair-setup.proof": {
            Twin.change("/pair-setup") { response, _ in
                if response.body.starts(with: [6, 1, 4]) { response.body[response.body.count - 1] ^= 1 }
            }.unpaired
        },
        "pair-setup.exchange": {
            Twin.change("/pair-setup") { response, _ in
                if response.body.starts(with: [6, 1, 6]) { response.body[response.body.count - 1] ^= 1 }
            }.unpaired
        },
        "pair-setup.paired": { .credulous("/pair-setup") },
        "pair-setup.secured": { .credulous("/pair-setup") },
        "pair-setup.again": {
            let wasManaged = Mutex(false)
            return Twin.response { _, request, _ in
                if request.path == "/pairings" { wasManaged.withLock { $0 = true } }
                guard request.path == "/pair-setup", wasManaged.withLock({ $0 }) else { return nil }
                return HTTPResponse.pairing([6, 1, 2, 7, 1, 6]).encoded()
            }.unpaired
        },
        "pair-setup.wrong-proof": { Twin.credulous("/pair-setup").unpaired },
        "pair-verify.exchange": {
            .status("/accessories", .get, .connectionAuthorizationRequired, insteadOf: .ok, after: 2)
        },
        "pair-verify.m4": {
            .change("/pair-verify") { response, _ in
                if response.body == [6, 1, 4] { response.body += [0x99, 1, 0] }
            }
        },
        "pair-verify.fresh-key": {
            .change("/pair-verify", after: 2) { response, _ in
                response.body = RawMessage.tlv((6, [2]), (3, [9] + [UInt8](repeating: 0, count: 31)), (5, [1]))
            }
        },
        "pair-verify.restart": {
            countingM1("/pair-verify") { number, _ in number > 1 ? m2Verify : nil }
        },
        "pair-verify.unknown-controller": { .credulous("/pair-verify") },
        "pair-verify.signature": { .credulous("/pair-verify") },
        "pair-verify.tag": { .credulous("/pair-verify") },
        "pair-verify.order": { .credulous("/pair-verify") },
        "pair-verify.key-length": { .credulous("/pair-verify") },
        "pair-verify.low-order": { .credulous("/pair-verify") },
        "pair-verify.malformed": { .credulous("/pair-verify") },
        "pair-verify.secured": { .credulous("/pair-verify") },
        "pair-verify.removed": { Twin.credulous("/pair-verify").unpaired },
    ]

    /// An M2 with a key that isn't the exchange's.
    private static let m2Verify = RawMessage.tlv(
        (6, [2]),
        (3, [9] + [UInt8](repeating: 0, count: 31)),
        (5, [UInt8](repeating: 0, count: 100))
    )

    private static let pairings: [String: @Sendable () -> Twin] = [
        "pairings.admin": {
            .change("/pairings") { response, _ in
                let permissions = response.body.count - 1
                if response.body.count > 20 { response.body[permissions] = 0 }
            }
        },
        "pairings.add": { .ignores(method: 3) },
        "pairings.separator": {
            .change("/pairings") { response, _ in
                let pieces = response.body.split(separator: [0xFF, 0])
                if pieces.count > 1 { response.body = Array(pieces.joined()) }
            }
        },
        "pairings.user": { .credulous("/pairings") },
        "pairings.update": {
            .answers { request, _ in
                let values = RawMessage.values(request.body)
                guard request.path == "/pairings", values[0] == [3], values[11] == [1] else { return nil }
                return .pairing([6, 1, 2])
            }
        },
        "pairings.other-key": { .credulous("/pairings") },
        "pairings.remove": { .ignores(method: 4) },
        "pairings.remove-closes": { .ignores(method: 4) },
        "pairings.remove-unknown": {
            .change("/pairings") { response, request in
                if RawMessage.values(request.body)[0] == [4] { response.body = [6, 1, 2, 7, 1, 1] }
            }
        },
        "pairings.method": { .credulous("/pairings") },
        "pairings.permissions": { .credulous("/pairings") },
        "pairings.capacity": {
            .change("/pairings", after: 6) { response, request in
                if RawMessage.values(request.body)[0] == [3] { response.body = [6, 1, 2, 7, 1, 4] }
            }
        },
    ]

    private static let database: [String: @Sendable () -> Twin] = [
        "database.json": { .change("/accessories", .get) { response, _ in response.body.removeLast() } },
        "database.content-type": {
            .change("/accessories", .get) { response, _ in response.headers = ["Content-Type": "text/plain"] }
        },
        "database.first": { .database(#""aid":1,"#, #""aid":7,"#) },
        "database.ids": { .database(#""iid":9,"#, #""iid":"9","#) },
        "database.unique-aids": {
            var twin = Twin.database(#""aid":2,"#, #""aid":1,"#)
            twin.accessories.append(CheckedAccessory.lamp("Second"))
            return twin
        },
        "database.unique-iids": { .database(#""iid":9,"#, #""iid":2,"#) },
        "database.counts": {
            .change("/accessories", .get) { response, _ in
                let text = response.text
                let body = text.dropFirst(#"{"accessories":["#.count).dropLast(2)
                let copies = (1...151).map { body.replacing(#"{"aid":1,"#, with: #"{"aid":\#($0),"#) }
                response.body = Array(#"{"accessories":[\#(copies.joined(separator: ","))]}"#.utf8)
            }
        },
        "database.information": { .database(#""iid":1,"#, #""iid":99,"#) },
        "database.protocol": { .database(#""type":"A2""#, #""type":"F0A2""#) },
        "database.protocol-version": { .database(#""1.1.0""#, #""01.01.00""#) },
        "database.required": { .database(#""type":"21""#, #""type":"F021""#) },
        "database.unique-types": { .database(#""type":"20""#, #""type":"21""#) },
        "database.service-types": {
            .database(#""type":"43""#, #""type":"00000043-0000-1000-8000-0026BB765291""#)
        },
        "database.characteristic-types": { .database(#""type":"25""#, #""type":"00000025""#) },
        "database.formats": { .database(#""format":"bool""#, #""format":"boolean""#) },
        "database.catalog-formats": { .database(#""format":"bool""#, #""format":"uint8""#) },
        "database.permissions": { .database(#"["pr","pw","ev"]"#, #"["pr","pw","ev","xx"]"#) },
        "database.catalog-permissions": {
            .database(#""type":"21","perms":["pr"]"#, #""type":"21","perms":["pr","pw"]"#)
        },
        "database.readable-values": { .database(#","value":50"#, "") },
        "database.value-kinds": { .database(#""value":50"#, #""value":"50""#) },
        "database.bounds": { .database(#""value":50"#, #""value":500"#) },
        "database.string-lengths": {
            .database(#""Maker""#, #""\#(String(repeating: "M", count: 65))""#)
        },
        "database.linked": { .database(#""type":"43""#, #""type":"43","linked":[999]"#) },
        "database.primary": {
            .change("/accessories", .get) { response, _ in
                var text = response.text
                for type in ["43", "A2"] {
                    text = text.replacing(#""type":"\#(type)""#, with: #""type":"\#(type)","primary":true"#)
                }
                response.body = Array(text.utf8)
            }
        },
        "database.hidden": { .database(#""type":"37","perms":["pr"]"#, #""type":"37","perms":["pr","hd"]"#) },
        "database.name": { .database(#""value":"Lamp""#, #""value":"""#) },
        "database.name-characters": { .database(#""value":"Lamp""#, #""value":"-Lamp""#) },
        "database.model": { .database(#""Model 1""#, #""""#) },
        "database.serial-number": { .database(#""S-Lamp""#, #""1""#) },
        "database.firmware-revision": { .database(#""value":"1.0""#, #""value":"v1""#) },
        "database.identify": { .database(#""type":"14","perms":["pw"]"#, #""type":"14","perms":["pw","pr"]"#) },
        "database.users": {
            let count = Mutex(0)
            return .change("/accessories", .get) { response, _ in
                // The second one is the user's.
                guard response.status == .ok,
                    count.withLock({ count in
                        count += 1; return count == 2
                    })
                else { return }
                response.body = Array(response.text.replacing(#""iid":9,"#, with: #""iid":77,"#).utf8)
            }
        },
        "restart.ids": {
            let isRestarted = Mutex(false)
            var twin = Twin.change("/accessories", .get) { response, _ in
                guard isRestarted.withLock({ $0 }) else { return }
                response.body = Array(response.text.replacing(#""iid":9,"#, with: #""iid":77,"#).utf8)
            }
            twin.restarted = { isRestarted.withLock { $0 = true } }
            return twin
        },
        "restart.pairing": {
            var twin = Twin()
            twin.forgets = true
            return twin
        },
        "restart.configuration-number": {
            let isRestarted = Mutex(false)
            var twin = Twin()
            twin.advertise = { advertisement in
                var advertisement = advertisement
                if isRestarted.withLock({ $0 }) { advertisement.txt["c#"] = "9" }
                return advertisement
            }
            twin.restarted = { isRestarted.withLock { $0 = true } }
            return twin
        },
        "restart.subscriptions": {
            .change("/characteristics", .get) { response, _ in
                response.body = Array(response.text.replacing(#""ev":false"#, with: #""ev":true"#).utf8)
            }
        },
    ]

    private static func readText(_ old: String, _ new: String) -> Twin {
        .change("/characteristics", .get) { response, _ in
            response.body = Array(response.text.replacing(old, with: new).utf8)
        }
    }

    private static func writeText(_ old: String, _ new: String) -> Twin {
        .change("/characteristics", .put) { response, _ in
            response.body = Array(response.text.replacing(old, with: new).utf8)
        }
    }

    private static func target(_ old: String, _ new: String) -> Twin {
        .request { request, _ in request.target = request.target.replacing(old, with: new) }
    }

    private static let acceptsWrites: @Sendable () -> Twin = {
        .status("/characteristics", .put, .noContent, insteadOf: .multiStatus)
    }

    private static let ignoresPID: @Sendable () -> Twin = {
        .request { request, _ in
            guard request.path == "/characteristics" else { return }
            request.body = Array(request.body.text.replacing(/,"pid":[0-9]+/, with: "").utf8)
        }
    }

    private static let characteristics: [String: @Sendable () -> Twin] = [
        "reads.success": { readText(#""value""#, #""status":0,"value""#) },
        "reads.several": {
            .request { request, _ in
                guard request.path == "/characteristics", let last = request.target.lastIndex(of: ",") else { return }
                request.target = String(request.target[..<last])
            }
        },
        "reads.order": {
            .request { request, _ in
                guard request.path == "/characteristics", let query = request.query, query.contains(",") else { return }
                let ids = query.dropFirst(3).split(separator: ",").reversed().joined(separator: ",")
                request.target = "/characteristics?id=\(ids)"
            }
        },
        "reads.missing": { .status("/characteristics", .get, .ok, insteadOf: .multiStatus) },
        "reads.partial": { readText(#""status":0,"#, "") },
        "reads.write-only": { readText("-70405", "-70409") },
        "reads.meta": { target("&meta=1", "") },
        "reads.perms": { target("&perms=1", "") },
        "reads.type": { target("&type=1", "") },
        "reads.ev": { target("&ev=1", "") },
        "reads.malformed": { .status("/characteristics", .get, .ok, insteadOf: .badRequest) },
        "reads.no-ids": {
            .change("/characteristics", .get) { response, request in
                if request.query == nil { response = .overloaded }
            }
        },
        "reads.large-ids": { .status("/characteristics", .get, .badRequest, insteadOf: .multiStatus) },
        "writes.success": {
            .answers { request, _ in
                request.method == .put ? HTTPResponse(status: .noContent) : nil
            }
        },
        "writes.empty-body": {
            .response { response, request, _ in
                response.status == .noContent && request.method == .put
                    ? Array("HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n".utf8) : nil
            }
        },
        "writes.bool-forms": { .write(#""value":0"#, #""value":9"#) },
        "writes.out-of-range": acceptsWrites,
        "writes.wrong-kind": acceptsWrites,
        "writes.string": acceptsWrites,
        "writes.null": acceptsWrites,
        "writes.read-only": { writeText("-70404", "-70402") },
        "writes.missing": { writeText("-70409", "-70402") },
        "writes.partial": { writeText(#""status":0"#, #""status":-70402"#) },
        "writes.empty-entry": acceptsWrites,
        "writes.response": acceptsWrites,
        "writes.value-and-ev": { .write(#","ev":true"#, "") },
        "writes.malformed": { .status("/characteristics", .put, .noContent, insteadOf: .badRequest) },
        "writes.no-list": { .status("/characteristics", .put, .noContent, insteadOf: .badRequest) },
        "writes.no-iid": { .status("/characteristics", .put, .noContent, insteadOf: .badRequest) },
        "writes.identify": { .status("/characteristics", .put, .internalServerError, insteadOf: .noContent) },
        "timed-writes.prepare": { .status("/prepare", .put, .notFound, insteadOf: .ok) },
        "timed-writes.write": {
            .request { request, _ in
                guard request.path == "/characteristics" else { return }
                request.body = Array(request.body.text.replacing(#""pid":11122333"#, with: #""pid":1"#).utf8)
            }
        },
        "timed-writes.large-pid": { .status("/prepare", .put, .badRequest, insteadOf: .ok) },
        "timed-writes.wrong-pid": ignoresPID,
        "timed-writes.unprepared": ignoresPID,
        "timed-writes.once": ignoresPID,
        "timed-writes.late": ignoresPID,
        "timed-writes.connection": ignoresPID,
        "timed-writes.required": acceptsWrites,
        "timed-writes.malformed": {
            .change("/prepare") { response, _ in
                response = HTTPResponse(status: .ok, json: Array(#"{"status":0}"#.utf8))
            }
        },
        "events.subscribe": { .status("/characteristics", .put, .multiStatus, insteadOf: .noContent) },
        "events.unsupported": acceptsWrites,
        "events.missing": acceptsWrites,
        "events.delivery": {
            var twin = Twin()
            twin.rewriter.event = { Array($0.text.replacing(#""iid""#, with: #""IID""#).utf8) }
            return twin
        },
        "events.format": {
            var twin = Twin()
            twin.rewriter.event = { Array($0.text.replacing("hap+json", with: "any+json").utf8) }
            return twin
        },
        "events.writer": { .event { $0.body.text.contains(#""value""#) } },
        "events.on-subscribing": { .event { $0.body.text.contains(#""ev":true"#) } },
        "events.unsubscribe": {
            .answers { request, _ in
                request.body.text.contains(#""ev":false"#) ? HTTPResponse(status: .noContent) : nil
            }
        },
        "events.new-connection": { .event { $0.target == "/characteristics?id=1.1" } },
        "events.once": {
            var twin = Twin()
            twin.rewriter.event = { $0 + $0 }
            return twin
        },
        "events.unchanged": { .event { $0.target == "/characteristics?id=1.1" } },
        "events.response-first": {
            .response { response, request, _ in
                request.method == .get && request.target.contains("?id=") && response.status == .ok
                    ? Twin.powerEvent + response.encoded() : nil
            }
        },
    ]

    /// Answers 503 once a number of requests of a path were served.
    private static func tires(_ path: String, after count: Int) -> @Sendable () -> Twin {
        { .change(path, after: count) { response, _ in response = .overloaded } }
    }

    private static let open: @Sendable (String, HTTPMethod) -> @Sendable () -> Twin = { path, method in
        { .status(path, method, .ok, insteadOf: .connectionAuthorizationRequired) }
    }

    private static let wire: [String: @Sendable () -> Twin] = [
        "framing.pieces": { .impatient(.badRequest) },
        "framing.several": { .impatient(.badRequest) },
        "framing.one-segment": {
            var twin = Twin()
            twin.rewriter.input = { bytes, _, isSecured in
                isSecured && bytes.count > Int(bytes[0]) + Int(bytes[1]) << 8 + 18 ? .closed : .received
            }
            return twin
        },
        "framing.long": {
            var twin = Twin()
            twin.rewriter.input = { bytes, _, isSecured in
                isSecured && bytes.starts(with: [0, 4]) ? .closed : .received
            }
            return twin
        },
        "framing.responses": {
            let count = Mutex(0)
            var twin = Twin()
            twin.rewriter.request = { request, _, isSecured in
                guard isSecured, request.path == "/accessories" else { return .handled(request) }
                let number = count.withLock { count in
                    count += 1; return count
                }
                return number > 2 ? .corrupted : .handled(request)
            }
            return twin
        },
        "framing.tag": { .tolerant },
        "framing.altered-length": { .tolerant },
        "framing.too-long": { .tolerant },
        "framing.in-the-clear": { .tolerant },
        "framing.repeated": { .tolerant },
        "framing.counter": { .tolerant },
        "http.identify": { Twin.status("/identify", .post, .notFound, insteadOf: .noContent).unpaired },
        "http.identify-paired": { .status("/identify", .post, .noContent, insteadOf: .badRequest) },
        "http.unverified-accessories": open("/accessories", .get),
        "http.unverified-read": open("/characteristics", .get),
        "http.unverified-write": open("/characteristics", .put),
        "http.unverified-prepare": open("/prepare", .put),
        "http.unverified-pairings": open("/pairings", .post),
        "http.authorization-required": {
            .status("/accessories", .get, .unauthorized, insteadOf: .connectionAuthorizationRequired)
        },
        "http.unknown-unverified": {
            .status("/nothing", .get, .ok, insteadOf: .connectionAuthorizationRequired)
        },
        "http.not-found": { .status("/nothing", .get, .ok, insteadOf: .notFound) },
        "http.method": {
            .status("/accessories", HTTPMethod(rawValue: "DELETE"), .ok, insteadOf: .methodNotAllowed)
        },
        "http.persistent": tires("/characteristics", after: 6),
        "http.pieces": { .impatient(.ok) },
        "http.header-names": {
            .answers { request, _ in
                request.headers.contains { $0.name == "CONTENT-LENGTH" } ? HTTPResponse(status: .badRequest) : nil
            }
        },
        "http.host": {
            .answers { request, _ in
                request.headers["Host"]?.contains(#"\"#) ?? false ? HTTPResponse(status: .badRequest) : nil
            }
        },
        "http.separate-body": { .impatient(.badRequest) },
        "http.malformed": {
            var twin = Twin()
            twin.rewriter.input = { bytes, _, _ in
                bytes.starts(with: Array("GET\r\n".utf8))
                    ? .answered(HTTPResponse(status: .ok).encoded()) : .received
            }
            return twin
        },
        "sessions.again": tires("/accessories", after: 4),
        "sessions.parallel": tires("/accessories", after: 4),
        "sessions.users": { .status("/characteristics", .put, .multiStatus, insteadOf: .noContent) },
        "sessions.half-verified": open("/accessories", .get),
        "load.sessions": {
            var twin = Twin()
            twin.limits = { $0.verifiedConnections = 4 }
            return twin
        },
        "load.idle": {
            .response { response, request, connection in
                request.path == "/pair-verify" && connection.rawValue > 12 ? HTTPResponse.overloaded.encoded() : nil
            }
        },
        "load.churn": {
            .response { response, request, connection in
                connection.rawValue > 15 ? HTTPResponse.overloaded.encoded() : nil
            }
        },
        "load.requests": tires("/characteristics", after: 30),
    ]
}
