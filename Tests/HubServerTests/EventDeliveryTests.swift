import Foundation
import HomeHub
import HubAPI
import LocalRPC
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

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
        for _ in 0..<4 { _ = try encoder.bytes(of: .homeGone(UUID())) }
        let again = try encoder.bytes(of: events[0])
        #expect(again == bytes[0] && encoder.count == 7)
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
