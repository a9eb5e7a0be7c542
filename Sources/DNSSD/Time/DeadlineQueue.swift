/// Things that are due at moments, the earliest first: a binary heap. What is in it is never taken out early; whoever takes
/// it out when it is due looks whether it still matters.
struct DeadlineQueue<Element> {
    private var heap: [(moment: Instant, element: Element)] = []

    /// The earliest moment.
    var next: Instant? { heap.first?.moment }

    /// How many there are.
    var count: Int { heap.count }

    /// Adds something.
    mutating func insert(_ element: Element, at moment: Instant) {
        heap.append((moment, element))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].moment < heap[parent].moment else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes out the earliest, if it is due.
    mutating func popFirst(dueAt now: Instant) -> (moment: Instant, element: Element)? {
        guard let first = heap.first, first.moment <= now else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].moment < heap[least].moment {
                least = child
            }
            guard least != parent else { return first }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    /// Takes out everything.
    mutating func removeAll() {
        heap = []
    }
}
