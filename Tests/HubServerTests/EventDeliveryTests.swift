import Foundation
import HomeHub
import HubAPI
import LocalRPC
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import RawHTTP
import Testing
import WebServer

@testable import HubServer

/// How events get from the hub to the channels of streams.
struct EventDeliveryTests {
    /// A logical connection whose stream is a channel of the test.
    private struct Page {
        let channel = NIOAsyncTestingChannel()
        let stream: EventStream

        init(_ served: ServedHub, _ dispatcher: EventDispatcher, _ limits: HTTPLimits = HTTPLimits()) async throws {
            let owner = served.hub.owner
            let authority = SessionAuthority(user: owner.user, device: owner.device, client: .person)
            stream = EventStream(to: served.hub, as: authority, limits: limits, dispatcher)
            _ = try await stream.greet(StreamRequest())
            // The channel's clock begins at zero, which is also when nothing was ever sent.
            await channel.testingEventLoop.advanceTime(by: .seconds(1))
            let pipeline = channel.pipeline
            try await channel.testingEventLoop.executeInContext {
                try pipeline.syncOperations.addHandler(ConnectionGuard(nil, stallTime: .hours(1)))
            }
            stream.attach(UUID(), channel, run: "run", after: 0)
        }

        /// Whether more can be written.
        func setWritable(_ isWritable: Bool) async throws {
            channel.isWritable = isWritable
            let pipeline = channel.pipeline
            try await channel.testingEventLoop.executeInContext { pipeline.fireChannelWritabilityChanged() }
        }

        /// Returns what was written, once it has a text.
        func written(with text: String) async throws -> String {
            var written = ""
            while !written.contains(text) {
                guard case .body(let bytes) = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self) else {
                    continue
                }
                written += String(buffer: bytes)
            }
            return written
        }
    }

    /// Returns the numbers in the IDs of events.
    private static func numbers(_ text: String) -> [Int] {
        text.split(separator: "\n").compactMap { $0.hasPrefix("id: run.") ? Int($0.dropFirst(8)) : nil }
    }

    @Test func anEventIsWrittenOnceForAllWhoSeeTheSame() throws {
        var encoder = EventEncoder()
        let events = [HubEvent.homeGone(UUID()), .discoveryLost(UUID())]
        let bytes = try events.map { try encoder.bytes(of: $0) }
        #expect(bytes[0] != bytes[1])
        for _ in 0..<100 {
            let again = try events.map { try encoder.bytes(of: $0) }
            #expect(again == bytes)
        }
        #expect(encoder.count == 2)
        // What was written long ago isn't kept.
        for _ in 0..<16 { _ = try encoder.bytes(of: .homeGone(UUID())) }
        let again = try encoder.bytes(of: events[0])
        #expect(again == bytes[0] && encoder.count == 19)
    }

    @Test func allPagesOfAUserGetTheSameEventsInOrder() async throws {
        try await ServedHub.with { served in
            let dispatcher = EventDispatcher()
            var pages: [Page] = []
            for _ in 0..<3 { pages.append(try await Page(served, dispatcher)) }
            let owner = try await served.owner()
            for number in 1...20 { _ = try await owner.call(HubMethods.addHome, AddHome(name: "Home \(number)")) }
            var texts: [String] = []
            for page in pages { texts.append(try await page.written(with: "\"Home 20\"")) }
            // A page may have received more already. The order of the members of a state, which comes first, is any.
            let events = texts.map { $0.components(separatedBy: "\n\n").dropFirst().dropLast() }
            #expect(texts.allSatisfy { $0.hasPrefix("id: run.1\nevent: reset\ndata: {") })
            for others in events[1...] {
                for (event, other) in zip(events[0], others) { #expect(event == other) }
            }
            #expect(Self.numbers(texts[0]) == Array(1...Self.numbers(texts[0]).count))
            for page in pages { page.stream.close() }
            for page in pages { _ = try await page.written(with: "event: ended") }
            owner.close()
        }
    }

    @Test func whatAClientHasNotReadIsSentOnceItReads() async throws {
        try await ServedHub.with { served in
            let page = try await Page(served, EventDispatcher())
            let first = try await page.written(with: "event: reset")
            try await page.setWritable(false)
            let owner = try await served.owner()
            for number in 1...5 { _ = try await owner.call(HubMethods.addHome, AddHome(name: "Home \(number)")) }
            // A reply comes after the events before it, so they wait by now.
            let reply = await page.stream.call(HubMethods.devices.name, Data("{}".utf8))
            #expect(reply.after > 5)
            #expect(try await page.channel.readOutbound(as: HTTPResponsePart.self) == nil)
            try await page.setWritable(true)
            let rest = try await page.written(with: "\"Home 5\"")
            let numbers = Self.numbers(first + rest)
            #expect(numbers == Array(1...numbers.count))
            page.stream.close()
            owner.close()
        }
    }

    @Test func withManyPagesEventsThatFollowSoonAreWrittenTogether() async throws {
        try await ServedHub.with { served in
            let dispatcher = EventDispatcher(pace: EventPace(limits: EventPace.Limits(promptStreams: 1)))
            let (page, other) = (try await Page(served, dispatcher), try await Page(served, dispatcher))
            for each in [page, other] { _ = try await each.written(with: "event: reset") }
            let owner = try await served.owner()
            for number in 1...5 { _ = try await owner.call(HubMethods.addHome, AddHome(name: "Home \(number)")) }
            // The reply takes the same way as the events, so all of them have been passed on by now. Whoever gets a reply
            // has the events before it.
            _ = await other.stream.call(HubMethods.devices.name, Data("{}".utf8))
            _ = try await other.written(with: "\"Home 5\"")
            #expect(try await page.channel.readOutbound(as: HTTPResponsePart.self) == nil)

            await page.channel.testingEventLoop.advanceTime(by: .milliseconds(2))
            let part = try await page.channel.readOutbound(as: HTTPResponsePart.self)
            guard case .body(let bytes) = part else { throw HubError(.hubFailure, "Nothing was written.") }
            #expect((1...5).allSatisfy { String(buffer: bytes).contains("\"Home \($0)\"") })

            // After a pause, the first event doesn't wait.
            await page.channel.testingEventLoop.advanceTime(by: .seconds(1))
            _ = try await owner.call(HubMethods.addHome, AddHome(name: "Home 6"))
            let first = try await page.written(with: "id: run.")
            // What else belongs to the change may follow with the next write.
            _ = await other.stream.call(HubMethods.devices.name, Data("{}".utf8))
            await page.channel.testingEventLoop.advanceTime(by: .milliseconds(2))
            if !first.contains("\"Home 6\"") { _ = try await page.written(with: "\"Home 6\"") }
            for each in [page, other] { each.stream.close() }
            owner.close()
        }
    }

    @Test func theTimeBetweenTwoWritesGrowsWithTheNumberOfPages() {
        let pace = EventPace()
        for _ in 0..<16 { pace.add() }
        #expect(pace.interval == .zero)
        pace.add()
        #expect(pace.interval == .milliseconds(17))
        for _ in 17..<500 { pace.add() }
        #expect(pace.interval == .milliseconds(100))
        for _ in 16..<500 { pace.remove() }
        #expect(pace.interval == .zero)
    }

    @Test func aStreamThatIsNotReadCostsLittleAndGetsTheStateLater() async throws {
        var limits = HTTPLimits()
        limits.backlog = Backlog.Limits(events: 2_000, total: 1 << 20)
        let chosen = limits
        try await ServedHub.with(chosen) { served in
            let page = try await Page(served, EventDispatcher(), chosen)
            _ = try await page.written(with: "event: reset")
            try await page.setWritable(false)
            let owner = try await served.owner()
            for number in 1...30 { _ = try await owner.call(HubMethods.addHome, AddHome(name: "Home \(number)")) }
            let reply = await page.stream.call(HubMethods.devices.name, Data("{}".utf8))
            #expect(reply.after < 30)
            try await page.setWritable(true)
            let text = try await page.written(with: "event: reset")
            let numbers = Self.numbers(text)
            #expect(numbers == Array((numbers.first ?? 0)..<(numbers.first ?? 0) + numbers.count))
            #expect(text.contains("\"Home 30\""))
            page.stream.close()
            owner.close()
        }
    }
}
