import HAP
import HAPCatalog
import NIOCore
import Synchronization
import Testing

@testable import HAPClient

@Suite struct RequestQueueTests {
    private let index = AttributeIndex([])
    private let deadline = NIODeadline.uptimeNanoseconds(1_000)

    /// Sends all pending requests, and sets the outcome of every part.
    private func answer(_ queue: inout RequestQueue) {
        while let batch = queue.nextBatch(index, limits: SessionConfiguration()) {
            for request in batch.requests { queue.resolve(request, .value(nil)) }
        }
    }

    @Test func nothingIsKeptOfWhatIsFinished() {
        var queue = RequestQueue()
        for _ in 0..<10_000 {
            _ = queue.add([.read(Fixture.on)], deadline: deadline)
            answer(&queue)
            #expect(queue.drainFinished().count == 1)
        }
        #expect(queue.order.isEmpty)
        #expect(queue.deadline == nil)
    }

    @Test func whatIsFinishedOutOfOrderGoesWithWhatStoodBeforeIt() {
        var queue = RequestQueue()
        let first = queue.add([.read(Fixture.on)], deadline: deadline)
        for number in 1...10 {
            queue.fail(queue.add([.read(Fixture.on)], deadline: deadline + .nanoseconds(Int64(number))), .stopped)
        }
        let last = queue.add([.read(Fixture.on)], deadline: deadline + .seconds(1))
        #expect(queue.deadline == deadline)
        queue.fail(first, .stopped)
        #expect(Array(queue.order) == [last])
        #expect(queue.deadline == deadline + .seconds(1))
        queue.expire(at: deadline + .seconds(1))
        #expect(queue.order.isEmpty)
    }

    @Test func aWithdrawnWriteIsNotSentAndFails() throws {
        var queue = RequestQueue()
        let withdrawal = WriteWithdrawal()
        let write = CharacteristicWrite(id: Fixture.on, value: .bool(true), withdrawal: withdrawal)
        let withdrawn = queue.add([.write(write)], deadline: deadline)
        let kept = queue.add([.write(CharacteristicWrite(id: Fixture.on, value: .bool(false)))], deadline: deadline)
        withdrawal.withdraw()
        let next = queue.nextBatch(index, limits: SessionConfiguration())
        let batch = try #require(next)
        #expect(batch.requests.map(\.ticket) == [kept])
        let finished = queue.drainFinished()
        #expect(finished.map(\.ticket) == [withdrawn] && finished[0].outcomes == [.failure(.stopped)])
    }

    @Test func aWriteWhoseTimeIsOverIsNotSentAndSaysSo() throws {
        var queue = RequestQueue()
        let session = WriteWithdrawal()
        let isOver = Mutex(false)
        let timed = WriteWithdrawal(of: session) { isOver.withLock { $0 } }
        let write = CharacteristicWrite(id: Fixture.on, value: .bool(true), withdrawal: timed)
        let late = queue.add([.write(write)], deadline: deadline)
        isOver.withLock { $0 = true }
        let batch = queue.nextBatch(index, limits: SessionConfiguration())
        #expect(batch == nil || batch?.requests.isEmpty == true)
        let finished = queue.drainFinished()
        #expect(finished.map(\.ticket) == [late] && finished[0].outcomes == [.failure(.expired)])
        // Who lost the right is told that, also in time.
        isOver.withLock { $0 = false }
        let other = queue.add([.write(write)], deadline: deadline)
        session.withdraw()
        _ = queue.nextBatch(index, limits: SessionConfiguration())
        let next = queue.drainFinished()
        #expect(next.map(\.ticket) == [other] && next[0].outcomes == [.failure(.stopped)])
    }

    @Test func preparedWritesWhoseTimeIsOverAreTakenOutOfTheirBatch() throws {
        var queue = RequestQueue()
        let isOver = Mutex(false)
        let timed = WriteWithdrawal { isOver.withLock { $0 } }
        let ids = (1...2).map { CharacteristicID(aid: $0, iid: 9) }
        _ = queue.add(
            [.write(CharacteristicWrite(id: ids[0], value: .bool(true), withdrawal: timed))],
            deadline: deadline
        )
        _ = queue.add([.write(CharacteristicWrite(id: ids[1], value: .bool(true)))], deadline: deadline)
        let next = queue.nextBatch(index, limits: SessionConfiguration())
        let batch = try #require(next)
        #expect(batch.withoutWithdrawn.withdrawn.isEmpty && batch.withoutWithdrawn.batch.requests.count == 2)
        // Preparing took longer than the request may wait.
        isOver.withLock { $0 = true }
        let rest = batch.withoutWithdrawn
        #expect(rest.withdrawn.map(\.1) == [.expired] && rest.withdrawn[0].0.kind.characteristic == ids[0])
        guard case .write(let entries, _) = rest.batch.content else {
            Issue.record("the batch is no write")
            return
        }
        #expect(entries.map(\.id) == [ids[1]] && rest.batch.requests.map(\.kind.characteristic) == [ids[1]])
    }

    @Test func eachPartArrivesWithItsOwnAnswer() throws {
        var queue = RequestQueue()
        let ticket = queue.add([.read(Fixture.on), .read(Fixture.on)], deadline: deadline)
        queue.resolve(QueuedRequest(kind: .read(Fixture.on), ticket: ticket, index: 1), .value(.bool(true)))
        let between = ArrivalOrder.next()
        queue.resolve(QueuedRequest(kind: .read(Fixture.on), ticket: ticket, index: 0), .value(.bool(false)))
        let results = try #require(queue.drainFinished().first).results
        #expect(results[1].arrival < between)
        #expect(between < results[0].arrival)
    }

    @Test func outcomesGoInWithoutCopyingTheSubmission() throws {
        var queue = RequestQueue()
        let count: UInt64 = 1_000
        let kinds = (1...count).map { QueuedRequest.Kind.read(CharacteristicID(aid: $0, iid: 9)) }
        let ticket = queue.add(kinds, deadline: deadline)
        let original = try #require(storage(of: ticket, in: queue))
        var copies = 0
        while let batch = queue.nextBatch(index, limits: SessionConfiguration()) {
            queue.recordSent(batch)
            for request in batch.requests {
                queue.resolve(request, .value(nil))
                if let now = storage(of: ticket, in: queue), now != original { copies += 1 }
            }
        }
        #expect(copies == 0)
        #expect(queue.drainFinished().map(\.outcomes) == [kinds.map { _ in .value(nil) }])
    }

    /// Returns the address of a submission's parts in memory. If it changes, they were copied.
    private func storage(of ticket: TicketID, in queue: RequestQueue) -> UInt? {
        queue.tickets[ticket]?.parts.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
}
