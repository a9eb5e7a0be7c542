/// A queue of elements with deadlines, earliest first: a binary heap. Elements are not removed early; when an element
/// is dequeued, the caller checks whether it still matters.
struct DeadlineQueue<Element> {
    private var heap: [(instant: Instant, element: Element)] = []

    /// The earliest deadline.
    var next: Instant? { heap.first?.instant }

    /// The number of elements.
    var count: Int { heap.count }

    /// Adds an element.
    mutating func insert(_ element: Element, at instant: Instant) {
        heap.append((instant, element))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].instant < heap[parent].instant else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns the earliest element, if it is due.
    mutating func popFirst(dueAt now: Instant) -> (instant: Instant, element: Element)? {
        guard let first = heap.first, first.instant <= now else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].instant < heap[least].instant {
                least = child
            }
            guard least != parent else { return first }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    /// Removes all elements.
    mutating func removeAll() {
        heap = []
    }
}
