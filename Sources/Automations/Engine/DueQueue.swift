import Foundation

/// A queue of elements by due time: a binary heap in which elements can be moved and removed.
///
/// A change costs a number of comparisons that is logarithmic in the number of elements. Elements that are due at the
/// same time are in the order in which they were first added.
struct DueQueue<Element: Hashable & Sendable>: Sendable {
    private struct Slot: Sendable {
        let element: Element
        let due: Date
        let order: Int

        func isBefore(_ other: Slot) -> Bool { (due, order) < (other.due, other.order) }
    }

    private var heap: [Slot] = []
    private var indexes: [Element: Int] = [:]
    private var nextOrder = 0
    /// The number of comparisons so far.
    private(set) var comparisons = 0

    /// The element that is due first.
    var first: (element: Element, due: Date)? { heap.first.map { ($0.element, $0.due) } }

    /// The number of elements.
    var count: Int { heap.count }

    /// Returns when an element is due; `nil` if it isn't in the queue.
    subscript(element: Element) -> Date? { indexes[element].map { heap[$0].due } }

    /// Adds, moves or removes an element.
    ///
    /// - Parameter due: When it is due; `nil` to remove it.
    mutating func set(_ element: Element, _ due: Date?) {
        guard let due else { return remove(element) }
        if let index = indexes[element] {
            heap[index] = Slot(element: element, due: due, order: heap[index].order)
            rise(from: index)
            sink(from: indexes[element] ?? index)
        } else {
            heap.append(Slot(element: element, due: due, order: nextOrder))
            nextOrder += 1
            indexes[element] = heap.count - 1
            rise(from: heap.count - 1)
        }
    }

    private mutating func remove(_ element: Element) {
        guard let index = indexes.removeValue(forKey: element) else { return }
        let last = heap.removeLast()
        guard index < heap.count else { return }
        heap[index] = last
        indexes[last.element] = index
        rise(from: index)
        sink(from: indexes[last.element] ?? index)
    }

    private mutating func rise(from index: Int) {
        var child = index
        while child > 0 {
            let parent = (child - 1) / 2
            guard isBefore(child, parent) else { return }
            swap(child, parent)
            child = parent
        }
    }

    private mutating func sink(from index: Int) {
        var parent = index
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && isBefore(child, least) {
                least = child
            }
            guard least != parent else { return }
            swap(parent, least)
            parent = least
        }
    }

    private mutating func isBefore(_ left: Int, _ right: Int) -> Bool {
        comparisons += 1
        return heap[left].isBefore(heap[right])
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        heap.swapAt(left, right)
        indexes[heap[left].element] = left
        indexes[heap[right].element] = right
    }
}
