import Foundation
import Testing

@testable import Automations

@Suite struct DueQueueTests {
    /// The queue equals a sorted list after each of many random changes.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func queueIsInOrderAfterAnyChanges(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = DueQueue<Int>()
        var dues: [Int: Date] = [:]
        for _ in 0..<3_000 {
            let element = Int.random(in: 0..<200, using: &random)
            let due = Date(timeIntervalSince1970: Double(Int.random(in: 0..<500, using: &random)))
            let isRemoval = Int.random(in: 0..<3, using: &random) == 0
            queue.set(element, isRemoval ? nil : due)
            dues[element] = isRemoval ? nil : due
            #expect(queue.count == dues.count)
            #expect(queue[element] == dues[element])
            #expect(queue.first?.due == dues.values.min())
        }
        var order: [Date] = []
        while let first = queue.first {
            #expect(dues[first.element] == first.due)
            order.append(first.due)
            queue.set(first.element, nil)
        }
        #expect(order == dues.values.sorted())
    }

    @Test func elementsDueTogetherAreInTheOrderInWhichTheyWereAdded() {
        var queue = DueQueue<Int>()
        let due = Date(timeIntervalSince1970: 60)
        for element in 0..<100 { queue.set(element, Date(timeIntervalSince1970: Double(element % 7))) }
        for element in (0..<100).reversed() { queue.set(element, due) }
        var order: [Int] = []
        while let first = queue.first {
            order.append(first.element)
            queue.set(first.element, nil)
        }
        #expect(order == Array(0..<100))
    }

    @Test func changeCostsALogarithmOfTheElements() {
        var queue = DueQueue<Int>()
        for element in 0..<10_000 { queue.set(element, Date(timeIntervalSince1970: Double(element * 7_919 % 10_007))) }
        for round in 0..<1_000 {
            let before = queue.comparisons
            let first = queue.first
            queue.set(first?.element ?? 0, Date(timeIntervalSince1970: Double(20_000 + round)))
            // 2 comparisons on each of 14 levels, and 1 at the top.
            #expect(queue.comparisons - before <= 2 * 14 + 1)
        }
    }
}
