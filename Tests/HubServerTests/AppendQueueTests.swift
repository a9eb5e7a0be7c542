import Foundation
import HomeIdentity
import PeerProcess
import RelayAPI
import RelayClient
import Testing

@testable import HubServer

/// How the entries of many feeds go to a relay.
struct AppendQueueTests {
    /// A relay that answers when the test says so.
    private struct Relay {
        /// The sizes of the requests.
        let requests = AwaitableValue<[Int]>([])
        /// The number of requests that may be answered.
        let answered = AwaitableValue(0)

        func queue() -> AppendQueue {
            AppendQueue { items throws(RelayClientError) in
                var number = 0
                requests.change {
                    $0.append(items.count)
                    number = $0.count
                }
                do {
                    try await Wait.until("the answer") { answered.value >= number }
                } catch {
                    throw .unreachable("The request was canceled.")
                }
                return items.map { .appended(seq: $0.expect + 1) }
            }
        }

        func answer(_ count: Int) { answered.change { $0 = count } }
    }

    private static func item(_ number: Int64) -> AppendItem {
        AppendItem(feed: .random(), expect: number, prev: .zero, bytes: Data([1]))
    }

    @Test func whatComesWhileAnEntryIsOnItsWayGoesTogether() async throws {
        let relay = Relay()
        let queue = relay.queue()
        async let first = queue.append(Self.item(0))
        try await relay.requests.until { $0 == [1] }
        let others = (1...3 as ClosedRange<Int64>).map { number in
            Task { try await queue.append(Self.item(number)) }
        }
        try await Wait.until("they wait") { await queue.waitingCount == 3 }
        relay.answer(2)
        #expect(try await first == .appended(seq: 1))
        for (number, other) in zip(2... as PartialRangeFrom<Int64>, others) {
            #expect(try await other.value == .appended(seq: number))
        }
        #expect(relay.requests.value == [1, 3])
        // One alone goes at once again.
        relay.answer(3)
        #expect(try await queue.append(Self.item(9)) == .appended(seq: 10))
    }

    @Test func whoeverIsCanceledHoldsUpNobodyElse() async throws {
        let relay = Relay()
        let queue = relay.queue()
        let first = Task { try await queue.append(Self.item(0)) }
        try await relay.requests.until { $0 == [1] }
        let (second, third) = (
            Task { try await queue.append(Self.item(1)) }, Task { try await queue.append(Self.item(2)) }
        )
        try await Wait.until("they wait") { await queue.waitingCount == 2 }
        second.cancel()
        await #expect(throws: RelayClientError.self) { try await second.value }
        first.cancel()
        await #expect(throws: RelayClientError.self) { try await first.value }
        relay.answer(2)
        #expect(try await third.value == .appended(seq: 3))
        #expect(relay.requests.value == [1, 1])
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await queue.append(Self.item(4))
        }
        await #expect(throws: RelayClientError.self) { try await late.value }
        #expect(relay.requests.value == [1, 1])
    }
}
