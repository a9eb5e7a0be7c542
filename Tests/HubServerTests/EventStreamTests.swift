import Foundation
import HomeHub
import HomeKitTesting
import HubAPI
import LocalRPC
import RawHTTP
import Testing

@testable import HubServer

/// Streams of events, and the requests that belong to them.
struct EventStreamTests {
    @Test func aReplyNamesTheLastEventBeforeIt() async throws {
        try await ServedHub.with { served in
            let page = try await served.device()
            let stream = try await page.stream()
            let other = try await page.stream()
            #expect(try await stream.next("reset").number == 1)
            let reply = try await page.post("/api/home.add", #"{"name":"Villa"}"#, stream.header)
            #expect(reply.status == 200)
            let after = try #require(reply.json["after"] as? Int)
            #expect((reply.json["follows"] as? [Any])?.count == 2)
            var own: [PageStream.Event] = []
            while (own.last?.number ?? 1) < after { own.append(try #require(try await stream.next())) }
            #expect(own.map(\.name) == ["change", "change"])
            #expect(own.map(\.number) == [2, 3])
            #expect(own.allSatisfy { $0.json["isMine"] as? Bool == true })
            #expect(try await other.next("change").json["isMine"] as? Bool == false)
            let refused = try await page.post("/api/home.add", #"{"name":"Villa"}"#, stream.header)
            #expect(refused.status == 422 && refused.code == "nameTaken")
            let data = try #require((refused.json["error"] as? [String: Any])?["data"] as? [String: Any])
            let subject = try #require((data["subjects"] as? [[String: Any]])?.first)
            #expect(subject["kind"] as? String == "home" && subject["name"] as? String == "Villa")
            #expect(subject["id"] as? String == (reply.json["result"] as? [String: Any])?["id"] as? String)
            #expect(data["name"] as? String == "Villa")
            let malformed = try await page.post("/api/room.add", #"{"home":"Villa"}"#)
            let wrong = (malformed.json["error"] as? [String: Any])?["data"] as? [String: Any]
            #expect(malformed.status == 400 && wrong?["field"] as? String == "home")
            #expect(refused.json["after"] as? Int == after)
        }
    }

    @Test func aConnectionContinuesOnTheNextStream() async throws {
        try await ServedHub.with { served in
            let page = try await served.device()
            let stream = try await page.stream()
            let reset = try await stream.next("reset")
            stream.connection.end()
            for name in ["Villa", "Boat"] {
                #expect(try await page.post("/api/home.add", #"{"name":"\#(name)"}"#, stream.header).status == 200)
            }
            let next = try await page.stream("{}", stream.header.merging(["Last-Event-ID": reset.id ?? ""]) { $1 })
            #expect(next.isResumed && next.id == stream.id)
            for number in 2...5 {
                let event = try #require(try await next.next())
                #expect(event.number == number && event.name == "change")
                #expect(event.json["isMine"] as? Bool == true)
            }
            // Without the last event, the hub can't know what the page has.
            let fresh = try await page.stream("{}", stream.header)
            #expect(fresh.isResumed)
            let again = try #require(try await fresh.next())
            #expect(again.name == "reset" && again.number == 6)
        }
    }

    @Test func aConnectionOutlivesItsStreamBy90Seconds() async throws {
        try await ServedHub.with { served in
            let page = try await served.device()
            var stream = try await page.stream()
            _ = try await stream.next("reset")
            stream.connection.end()
            // The heartbeat, and the end of the connection.
            try await served.streamClock.advance(by: .seconds(89), afterSleepers: 2)
            let same = try await page.stream("{}", stream.header)
            #expect(same.isResumed && same.id == stream.id)
            stream = same
            stream.connection.end()
            try await served.streamClock.advance(by: .seconds(90), afterSleepers: 2)
            while try await page.post("/api/device.list", "{}", stream.header).code != "streamEnded" {
                try await Task.sleep(for: .milliseconds(10))
            }
            let new = try await page.stream("{}", stream.header)
            #expect(!new.isResumed && new.id != stream.id)
            #expect(try await new.next("reset").number == 1)
        }
    }

    @Test func aNewConnectionGetsWhatItMissed() async throws {
        try await ServedHub.with { served in
            let page = try await served.device()
            let stream = try await page.stream()
            let account = try #require(try await stream.next("reset").json["account"] as? [String: Any])
            _ = try await page.post("/api/home.add", #"{"name":"Villa"}"#, stream.header)
            let added = try await stream.next("change").json
            let seen: [String: Any] = [
                "account": ["lineage": account["lineage"], "revision": 0],
                "homes": [
                    (added["home"] as? String ?? ""): ["lineage": added["lineage"], "revision": added["revision"]]
                ],
            ]
            let body = String(decoding: try JSONSerialization.data(withJSONObject: ["seen": seen]), as: UTF8.self)
            let next = try await page.stream(body)
            #expect(!next.isResumed)
            let first = try #require(try await next.next())
            #expect(["change", "reset"].contains(first.name))
        }
    }

    @Test func eventsThatNobodyReadsAreReplacedByTheState() async throws {
        var limits = HTTPLimits()
        limits.backlog = Backlog.Limits(events: 2_000, total: 1 << 20)
        limits.keptBytes = 2_000
        try await ServedHub.with(limits) { served in
            let page = try await served.device()
            let stream = try await page.stream()
            let reset = try await stream.next("reset")
            stream.connection.end()
            for index in 0..<12 {
                let reply = try await page.post("/api/home.add", #"{"name":"Home \#(index)"}"#, stream.header)
                #expect(reply.status == 200)
            }
            let next = try await page.stream("{}", stream.header.merging(["Last-Event-ID": reset.id ?? ""]) { $1 })
            #expect(next.isResumed)
            var numbers: [Int] = []
            while let event = try await next.next() {
                numbers.append(event.number ?? 0)
                guard event.name == "reset" else { continue }
                #expect((event.json["homes"] as? [String: Any])?.count == 12)
                break
            }
            #expect(numbers == Array(2..<(2 + numbers.count)))
            #expect(numbers.count < 24)
        }
    }

    @Test func aFourthStreamEndsTheFirst() async throws {
        try await ServedHub.with { served in
            let page = try await served.device()
            var streams: [PageStream] = []
            for _ in 0..<3 { streams.append(try await page.stream()) }
            for stream in streams { _ = try await stream.next("reset") }
            let fourth = try await page.stream()
            _ = try await streams[0].next("superseded")
            #expect(try await streams[0].next() == nil)
            // The connection is there and continues when the person asks for it.
            #expect(try await page.post("/api/device.list", "{}", streams[0].header).status == 200)
            let again = try await page.stream("{}", streams[0].header)
            #expect(again.isResumed)
            _ = try await streams[1].next("superseded")
            _ = try await fourth.next("reset")
        }
    }

    @Test func aKeyIsCarriedOutOnce() async throws {
        try await ServedHub.with { served in
            let page = try await served.device()
            let stream = try await page.stream()
            let key = ["Hearth-Key": UUID().uuidString]
            let first = try await page.post("/api/home.add", #"{"name":"Villa"}"#, stream.header.merging(key) { $1 })
            let again = try await page.post("/api/home.add", #"{"name":"Villa"}"#, key)
            #expect(first.status == 200 && again.status == 200)
            let ids = [first, again].map { ($0.json["result"] as? [String: Any])?["id"] as? String }
            #expect(ids[0] != nil && ids[0] == ids[1])
            let reused = try await page.post("/api/home.add", #"{"name":"Boat"}"#, key)
            #expect(reused.status == 409 && reused.code == "keyReused")
            let invalid = try await page.post("/api/home.add", #"{"name":"Boat"}"#, ["Hearth-Key": "1"])
            #expect(invalid.status == 400)
        }
    }

    @Test func aStreamShowsThatItLives() async throws {
        try await ServedHub.with { served in
            let page = try await served.device()
            let stream = try await page.stream()
            _ = try await stream.next("reset")
            try await served.streamClock.advance(by: HTTPLimits().heartbeat)
            #expect(try await stream.next()?.name == "comment")
        }
    }

    @Test func anotherDevicesConnectionIsNotFound() async throws {
        try await ServedHub.with { served in
            let stream = try await served.device().stream()
            let other = try await served.device()
            #expect(try await other.post("/api/device.list", "{}", stream.header).status == 410)
            let own = try await other.stream("{}", stream.header)
            #expect(!own.isResumed && own.id != stream.id)
        }
    }

    @Test func connectionsOfADeviceAreLimited() async throws {
        var limits = HTTPLimits()
        limits.logicalStreamsPerDevice = 2
        limits.streamsPerDevice = 8
        try await ServedHub.with(limits) { served in
            let page = try await served.device()
            let first = try await page.stream()
            let second = try await page.stream()
            let excess = try await page.post("/api/events")
            #expect(excess.status == 429 && excess.code == "tooManyRequests")
            first.connection.end()
            // The hub notices the end a moment later. The connection that nobody reads makes room.
            while try await page.post("/api/events", "{", [:]).status == 429 {}
            var third: PageStream?
            while third == nil { third = try? await page.stream() }
            #expect(try await page.post("/api/device.list", "{}", first.header).status == 410)
            #expect(try await page.post("/api/device.list", "{}", second.header).status == 200)
        }
    }
}
