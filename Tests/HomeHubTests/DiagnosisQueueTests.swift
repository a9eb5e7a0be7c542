import Foundation
import HAP
@testable import HomeHub
import Testing

/// The queue of diagnoses at one accessory server.
struct DiagnosisQueueTests {
    /// Counts the diagnoses that run at the same time.
    private actor TurnCounter {
        private var count = 0

        func enter() -> Int {
            count += 1
            return count
        }

        func leave() { count -= 1 }
    }

    private static let ids = ["11:22:33:44:55:66", "11:22:33:44:55:67"].compactMap { DeviceID($0) }

    @Test func whoWaitsTooLongGoesWithoutAndHoldsNobodyUp() async {
        let turns = DiagnosisQueue()
        #expect(await turns.acquire(Self.ids[0], within: .zero))
        #expect(await turns.acquire(Self.ids[1], within: .zero))
        #expect(await !turns.acquire(Self.ids[0], within: .milliseconds(1)))
        await turns.release(Self.ids[0])
        #expect(await turns.acquire(Self.ids[0], within: .zero))
    }

    @Test func thoseWhoWaitGetTheTurnOneAfterTheOther() async {
        let turns = DiagnosisQueue()
        let crowd = TurnCounter()
        let counts: [Int] = await withTaskGroup(of: Int.self) { tasks in
            for _ in 1...8 {
                tasks.addTask {
                    guard await turns.acquire(Self.ids[0], within: .seconds(50)) else { return 0 }
                    let count = await crowd.enter()
                    await Task.yield()
                    await crowd.leave()
                    await turns.release(Self.ids[0])
                    return count
                }
            }
            return await tasks.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 1, count: 8))
    }
}
