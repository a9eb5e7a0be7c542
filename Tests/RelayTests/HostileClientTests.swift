import Foundation
import HomeIdentity
import NIOCore
import PeerProcess
import RawHTTP
import Relay
import RelayAPI
import RelayClient
import Testing
import WebServer

/// What clients do that aren't ours.
struct HostileClientTests {
    /// A client that sends the exact bytes of a test.
    private struct Raw {
        let relay: ServedRelay
        var token: String?

        /// Opens a session.
        init(_ relay: ServedRelay, as key: IdentityKey? = nil) async throws {
            self.relay = relay
            let proof = try SessionProof(
                by: key ?? relay.owner,
                host: "127.0.0.1:\(relay.port)",
                time: relay.clock.now,
                nonce: (0..<16).map { _ in .random(in: 0...255) }
            )
            let body = String(decoding: try JSONEncoder().encode(proof), as: UTF8.self)
            let response = try await send("POST", "/v1/session", body)
            token = response.json["token"] as? String
        }

        func head(_ method: String, _ path: String, _ fields: [String: String]) -> String {
            var all = ["Host": "127.0.0.1:\(relay.port)"]
            if let token { all["Authorization"] = "Bearer \(token)" }
            all.merge(fields) { $1 }
            return "\(method) \(path) HTTP/1.1\r\n" + all.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
        }

        func send(
            _ method: String,
            _ path: String,
            _ body: String = "",
            _ fields: [String: String] = [:]
        ) async throws -> HTTPConnection.Response {
            let connection = try HTTPConnection(port: relay.port)
            let length = body.isEmpty && method == "GET" ? [:] : ["Content-Length": "\(body.utf8.count)"]
            try await connection.send(head(method, path, length.merging(fields) { $1 }) + body)
            return try await connection.response()
        }
    }

    private static func code(_ response: HTTPConnection.Response) -> String? { response.json["error"] as? String }

    // MARK: Sessions and rights

    @Test func withoutASessionEverythingLooksTheSame() async throws {
        try await ServedRelay.with { relay in
            _ = try await relay.makeFeed()
            var raw = try await Raw(relay)
            let own = try #require(raw.token)
            let base = "/v1/houses/\(relay.house)"
            let paths = [
                "\(base)/vault", "\(base)/live", "\(base)/feeds/\(relay.feed)",
                "\(base)/feeds/\(relay.feed)/entries?after=0",
            ]
            let other = "/v1/houses/\(HouseID.random())/feeds/\(FeedID.random())"
            for token in [nil, "", "x", own + "A", String(own.dropLast()), String(own.reversed())] {
                raw.token = token
                for path in paths + [other] {
                    let response = try await raw.send("GET", path)
                    #expect(response.status == 401 && Self.code(response) == "noSession", "\(path)")
                }
            }
            // A stranger's session sees no difference between what isn't there and what isn't theirs.
            let stranger = try await Raw(relay, as: IdentityKey())
            let nothing = try await stranger.send("GET", other)
            #expect(nothing.status == 404)
            for path in paths { #expect(try await stranger.send("GET", path).body == nothing.body, "\(path)") }
            let entry = AppendRequest([relay.writer.item()]).encoded
            let append = try await stranger.send("POST", "\(base)/entries", String(decoding: entry, as: UTF8.self))
            #expect(append.status == 404)
        }
    }

    @Test func aProofForAnotherHostIsRefused() async throws {
        try await ServedRelay.with { relay in
            let raw = try await Raw(relay)
            func open(_ host: String, signed: String) async throws -> Int {
                let proof = try SessionProof(
                    by: relay.owner,
                    host: signed,
                    time: relay.clock.now,
                    nonce: [UInt8](repeating: 1, count: 16)
                )
                let body = String(decoding: try JSONEncoder().encode(proof), as: UTF8.self)
                return try await raw.send("POST", "/v1/session", body, ["Host": host]).status
            }
            let own = "127.0.0.1:\(relay.port)"
            #expect(try await open(own, signed: own) == 200)
            #expect(try await open("LOCALHOST:\(relay.port)", signed: "localhost:\(relay.port)") == 200)
            // A hostile relay passes on the proof that it got.
            #expect(try await open("evil.example", signed: "evil.example") == 421)
            #expect(try await open(own, signed: "evil.example") == 401)
            #expect(try await open("127.0.0.1", signed: "127.0.0.1") == 421)
        }
    }

    @Test func sessionsAreLimitedPerKeyAndAddress() async throws {
        try await ServedRelay.with { limits in
            limits.sessionsPerKey = 3
            limits.sessionsPerAddress = 5
        } _: { relay in
            for _ in 0..<3 { #expect(try await Raw(relay).token != nil) }
            #expect(try await Raw(relay).token == nil)
            #expect(try await Raw(relay, as: IdentityKey()).token != nil)
            // The address is at its limit now, for whatever key.
            let refused = try await Raw(relay, as: IdentityKey())
            #expect(refused.token == nil)
            let response = try await refused.send("POST", "/v1/session", "{}")
            #expect(response.status == 429 && Self.code(response) == "tooManyRequests")
            #expect(response.headers["retry-after"].flatMap { Int($0) } ?? 0 > 0)
            // Only a proxy on this machine speaks for other addresses.
            let forwarded = ["X-Forwarded-For": "198.51.100.7"]
            #expect(try await refused.send("POST", "/v1/session", "{}", forwarded).status == 400)
            relay.clock.advance(seconds: 60)
            #expect(try await Raw(relay).token != nil)
        }
    }

    @Test func housesWithoutATokenAreRefusedOrLimited() async throws {
        try await ServedRelay.with(isOpen: false) { relay in
            let client = try relay.client()
            #expect(
                await refusal { try await client.register(relay.house, owners: [relay.owner.publicKey]) }
                    == .registrationRefused
            )
            let token = RegistrationToken()
            let expires = relay.clock.now + 1_000
            try await relay.store.add(
                RegistrationGrant(hash: token.hash, houseClass: .home, uses: 1, expires: expires)
            )
            #expect(
                await refusal {
                    try await client.register(relay.house, owners: [relay.owner.publicKey], token: token.text)
                } == nil
            )
            #expect(
                await refusal {
                    try await client.register(.random(), owners: [relay.owner.publicKey], token: token.text)
                } == .registrationRefused
            )
        }
        try await ServedRelay.with { relay in
            let client = try relay.client()
            for _ in 0..<5 { try await client.register(.random(), owners: [relay.owner.publicKey]) }
            #expect(
                await refusal { try await client.register(.random(), owners: [relay.owner.publicKey]) }
                    == .tooManyRequests
            )
            // A house is nobody's without the caller among its owners.
            #expect(
                await refusal { try await client.register(.random(), owners: [IdentityKey().publicKey]) } == .malformed
            )
        }
    }

    @Test func writesOfAHouseAreLimitedButNotByStrangers() async throws {
        try await ServedRelay.with { relay in
            let hub = try await relay.makeFeed()
            let stranger = try relay.client(IdentityKey())
            let quota = HouseQuota.home
            for _ in 0..<20 {
                let items = (0..<RelayLimits.itemsPerAppend).map { _ in relay.writer.item() }
                #expect(await refusal { _ = try await stranger.append(items, to: relay.house) } == .notFound)
            }
            var writer = relay.writer
            var count = 1
            // The feed counted once already.
            while count + 50 <= quota.writeBurst {
                _ = try await hub.append((0..<50).map { _ in writer.next() }, to: relay.house)
                count += 50
            }
            _ = try await hub.append((0..<quota.writeBurst - count).map { _ in writer.next() }, to: relay.house)
            let next = writer.item()
            #expect(await refusal { _ = try await hub.append([next], to: relay.house) } == .tooManyRequests)
            relay.clock.advance(seconds: 1)
            #expect(try await hub.append([next], to: relay.house) == [.appended(seq: Int64(quota.writeBurst))])
        }
    }

    @Test func anOwnerThatWasReplacedAppendsNothingMore() async throws {
        try await ServedRelay.with { relay in
            let hub = try await relay.makeFeed()
            let other = IdentityKey()
            try await hub.register(relay.house, owners: [relay.owner.publicKey, other.publicKey])
            var writer = relay.writer
            #expect(try await hub.append([writer.next()], to: relay.house) == [.appended(seq: 1)])
            let second = try relay.client(other)
            try await second.register(relay.house, owners: [other.publicKey])
            for _ in 0..<2 {
                #expect(await refusal { _ = try await hub.append([writer.item()], to: relay.house) } == .notFound)
            }
            #expect(try await second.append([writer.next()], to: relay.house) == [.appended(seq: 2)])
        }
    }

    @Test func quotasThatAreUsedUpAreNamedAndChangeNothing() async throws {
        try await ServedRelay.with { relay in
            let hub = try await relay.makeFeed()
            let quota = HouseQuota.home
            for _ in 1..<quota.feeds { try await hub.makeFeed(.random(), in: relay.house) }
            #expect(await refusal { try await hub.makeFeed(.random(), in: relay.house) } == .quotaExceeded)
            // One that is there counts once.
            try await hub.makeFeed(relay.feed, in: relay.house)
            let readers = (0...quota.readersPerFeed).map { _ in ReaderList.Reader(IdentityKey().publicKey, .read) }
            let list = ReaderList(seq: 1, readers: readers)
            #expect(
                await refusal { try await hub.setReaders(list, of: relay.feed, in: relay.house) } == .quotaExceeded
            )
            let fitting = ReaderList(seq: 1, readers: Array(readers.dropLast()))
            try await hub.setReaders(fitting, of: relay.feed, in: relay.house)
            func piece(of count: Int) async throws {
                let piece = VaultPiece(version: 1, piece: 1, pieces: count, bytes: Data([1]))
                try await hub.setPiece(piece, in: relay.house)
            }
            #expect(await refusal { try await piece(of: quota.vaultPieces + 1) } == .quotaExceeded)
            try await piece(of: quota.vaultPieces)
            var writer = relay.writer
            let size = RelayLimits.entryBytes
            for _ in 0..<quota.feedBytes / size {
                _ = try await hub.append([writer.next(size: size)], to: relay.house)
            }
            guard case .refused(let error) = try await hub.append([writer.item(size: size)], to: relay.house)[0] else {
                Issue.record("an entry beyond the quota was appended")
                return
            }
            #expect(error.code == .quotaExceeded)
            #expect(try await hub.status(of: relay.feed, in: relay.house).seq == writer.seq)
        }
    }

    // MARK: Connections

    @Test func idleConnectionsBeyondTheLimitEndAndTheOthersAreServed() async throws {
        try await ServedRelay.with { limits in
            limits.connection.localConnections = 150
        } _: { relay in
            let hub = try await relay.makeFeed()
            let raw = try await Raw(relay)
            // A stream and a connection from before.
            let stream = try HTTPConnection(port: relay.port)
            try await stream.send(raw.head("GET", "/v1/houses/\(relay.house)/live", [:]))
            #expect(try await stream.responseHead().status == 200)
            var idle: [HTTPConnection] = []
            for _ in 0..<400 { if let connection = try? HTTPConnection(port: relay.port) { idle.append(connection) } }
            // Those beyond the limit end at once, without an answer.
            for connection in idle.suffix(50) { #expect(await connection.drain() == 0) }
            var writer = relay.writer
            #expect(try await hub.append([writer.next()], to: relay.house) == [.appended(seq: 1)])
            var reader = LiveFrameReader()
            var wakes: [Int64] = []
            while wakes.isEmpty {
                wakes = try reader.receive(try await stream.chunk()).compactMap { $0.wake?.seq }
            }
            #expect(wakes == [1])
            // When they end, there is room again.
            idle = []
            try await Wait.until("a new connection is served") {
                (try? await raw.send("GET", "/health"))?.status == 200
            }
        }
    }

    // MARK: Bodies and headers

    @Test func requestsThatFitNothingGetAnError() async throws {
        try await ServedRelay.with { relay in
            _ = try await relay.makeFeed()
            let raw = try await Raw(relay)
            let house = "/v1/houses/\(relay.house)"
            let feed = "\(house)/feeds/\(relay.feed)"
            let requests: [(String, String, String, Int)] = [
                ("GET", "/", "", 404), ("GET", "/v1/houses", "", 404), ("GET", "/v1/houses/xyz/vault", "", 404),
                ("GET", "\(house)/feeds/\(relay.feed)0", "", 404), ("GET", "\(feed)/", "", 404),
                ("GET", "/v1/" + String(repeating: "x", count: 5_000), "", 404), ("DELETE", house, "", 405),
                ("POST", feed, "", 405), ("GET", "\(feed)/entries", "", 400),
                ("GET", "\(feed)/entries?after=-1", "", 400),
                ("GET", "\(feed)/entries?after=1e3", "", 400),
                ("GET", "\(feed)/entries?after=99999999999999999999", "", 400),
                ("GET", "\(feed)/entries?after=0&after=1", "", 400),
                ("GET", "\(feed)/entries?after=0&limit=0", "", 400),
                ("GET", "\(feed)/entries?after=0&limit=257", "", 400),
                ("GET", "\(feed)/entries?after=0&wait=56", "", 400),
                ("GET", "\(feed)/entries?after=1", "", 409), ("PUT", "\(feed)/readers", "{", 400),
                ("PUT", "\(feed)/readers", #"{"seq":0,"readers":[]}"#, 400),
                ("PUT", "\(feed)/readers", #"{"seq":1,"readers":[{"key":"AA==","rights":"r"}]}"#, 400),
                ("PUT", "\(feed)/beat", "", 400), ("PUT", "\(feed)/keys/0?to=\(UUID())", "x", 400),
                ("PUT", "\(feed)/keys/1?to=me", "x", 400), ("GET", "\(feed)/keys/1", "", 400),
                ("GET", "\(feed)/keys/1?to=\(UUID())", "", 404),
                ("PUT", "\(house)/vault?version=1&piece=2&of=1", "x", 400),
                ("GET", "\(house)/vault?version=1", "", 400), ("GET", "\(house)/live?feed=1", "", 400),
                ("POST", "\(house)/entries", "", 400), ("POST", "\(house)/entries", "cut", 400),
                ("PUT", house, #"{"owners":[]}"#, 400),
            ]
            for (method, path, body, status) in requests {
                let response = try await raw.send(method, path, body)
                #expect(response.status == status, "\(method) \(path.prefix(120)) \(body)")
                #expect(
                    Self.code(response) != nil && response.json["message"] is String,
                    "\(method) \(path.prefix(120))"
                )
            }
            let refused = try await raw.send("DELETE", house)
            #expect(refused.headers["allow"] == "PUT")
            #expect(try await raw.send("GET", "/health").json["status"] as? String == "ok")
        }
    }

    @Test func bodiesHaveTheirSizeAndNoByteMore() async throws {
        try await ServedRelay.with { relay in
            _ = try await relay.makeFeed()
            let raw = try await Raw(relay)
            let feed = "/v1/houses/\(relay.house)/feeds/\(relay.feed)"
            for (path, limit) in [("beat", RelayLimits.beatBytes), ("keys/1?to=\(UUID())", RelayLimits.envelopeBytes)] {
                let body = String(repeating: "x", count: limit)
                #expect(try await raw.send("PUT", "\(feed)/\(path)", body).status == 204)
                #expect(try await raw.send("PUT", "\(feed)/\(path)", body + "x").status == 413)
            }
            // A body without end, and without a length.
            let connection = try HTTPConnection(port: relay.port)
            try await connection.send(raw.head("PUT", "\(feed)/beat", ["Transfer-Encoding": "chunked"]))
            let chunk = "10000\r\n" + String(repeating: "x", count: 0x10000) + "\r\n"
            do {
                for _ in 0..<1_000 { try await connection.send(chunk) }
                Issue.record("64 MB of body were taken")
            } catch {
                // The relay has closed the connection.
            }
        }
    }

    @Test func headersWithoutEndAndSlowBodiesEndTheConnection() async throws {
        try await ServedRelay.with { limits in
            limits.bodyTime = .seconds(2)
            limits.connection.idleTime = .seconds(3)
        } _: { relay in
            _ = try await relay.makeFeed()
            let raw = try await Raw(relay)
            let endless = try HTTPConnection(port: relay.port)
            do {
                try await endless.send("GET /health HTTP/1.1\r\nHost: 127.0.0.1:\(relay.port)\r\n")
                let end = ContinuousClock.now + Wait.limit
                var index = 0
                while ContinuousClock.now < end {
                    try await endless.send("X-\(index): \(index)\r\n")
                    index += 1
                }
                Issue.record("\(index) header fields were taken")
            } catch {
                // The relay has closed the connection.
            }
            let slow = try HTTPConnection(port: relay.port)
            let path = "/v1/houses/\(relay.house)/feeds/\(relay.feed)/beat"
            try await slow.send(raw.head("PUT", path, ["Content-Length": "100"]) + "x")
            _ = await slow.drain()
            let idle = try HTTPConnection(port: relay.port)
            #expect(await idle.drain() == 0)
            // The others notice nothing.
            #expect(try await raw.send("GET", "/health").status == 200)
        }
    }

    // MARK: Streams

    @Test func aKeyHasItsStreamsAndTheOldestGivesWay() async throws {
        try await ServedRelay.with { limits in
            limits.streamsPerKey = 2
            limits.streams = 3
        } _: { relay in
            _ = try await relay.makeFeed()
            let raw = try await Raw(relay)
            let path = "/v1/houses/\(relay.house)/live?feed=\(relay.feed)"
            func open(_ raw: Raw) async throws -> (HTTPConnection, Int) {
                let connection = try HTTPConnection(port: relay.port)
                try await connection.send(raw.head("GET", path, [:]))
                return (connection, try await connection.responseHead().status)
            }
            let first = try await open(raw)
            let second = try await open(raw)
            #expect(first.1 == 200 && second.1 == 200 && relay.server.streams == 2)
            let third = try await open(raw)
            #expect(third.1 == 200 && relay.server.streams == 2)
            _ = await first.0.drain()
            // Another key has room for one more stream, and the relay for none after that.
            let key = IdentityKey()
            let list = ReaderList(seq: 1, readers: [.init(key.publicKey, .read)])
            _ = try await relay.store.setReaders(list, of: relay.feed, in: relay.house, as: relay.owner.publicKey)
            let other = try await Raw(relay, as: key)
            let fourth = try await open(other)
            #expect(fourth.1 == 200 && relay.server.streams == 3)
            let fifth = try await open(other)
            #expect(fifth.1 == 429)
            withExtendedLifetime((second, third, fourth)) {}
        }
    }

    @Test func requestsThatWaitAreLimited() async throws {
        try await ServedRelay.with { limits in
            limits.waitsPerKey = 1
        } _: { relay in
            let hub = try await relay.makeFeed()
            let raw = try await Raw(relay)
            let path = "/v1/houses/\(relay.house)/feeds/\(relay.feed)/entries?after=0&wait=55"
            let first = try HTTPConnection(port: relay.port)
            try await first.send(raw.head("GET", path, [:]))
            try await Wait.until("the first request waits") { relay.server.waiting == 1 }
            #expect(try await raw.send("GET", path).status == 429)
            var writer = relay.writer
            _ = try await hub.append([writer.next()], to: relay.house)
            #expect(try await first.response().status == 200)
            // It doesn't wait any more.
            let answer = try await raw.send("GET", path)
            #expect(answer.status == 200 && !answer.body.isEmpty)
        }
    }

    @Test func aClientThatReadsNothingCostsAsMuchAsItsFeeds() async throws {
        try await ServedRelay.with { relay in
            let hub = try await relay.makeFeed()
            let raw = try await Raw(relay)
            let connection = try HTTPConnection(port: relay.port, receiveBuffer: 1_024)
            try await connection.send(raw.head("GET", "/v1/houses/\(relay.house)/live", [:]))
            #expect(try await connection.responseHead().status == 200)
            var writer = relay.writer
            for _ in 0..<10 { _ = try await hub.append((0..<50).map { _ in writer.next() }, to: relay.house) }
            // It reads at last, and gets the newest.
            var reader = LiveFrameReader()
            var last: Int64 = 0
            while last < 500 {
                for frame in try reader.receive(try await connection.chunk()) { last = max(last, frame.wake?.seq ?? 0) }
            }
            #expect(last == 500)
        }
    }
}
