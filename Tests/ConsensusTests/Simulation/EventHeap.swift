/// Events in the order of their times; those of one time in the order in which they were added.
struct EventHeap<Event> {
    private var items: [(time: Duration, number: Int, event: Event)] = []
    private var count = 0

    var isEmpty: Bool { items.isEmpty }

    mutating func add(_ event: Event, at time: Duration) {
        items.append((time, count, event))
        count += 1
        var index = items.count - 1
        while index > 0, precedes(index, (index - 1) / 2) {
            items.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Returns the earliest time of some events.
    func firstTime(where isIncluded: (Event) -> Bool) -> Duration? {
        var first: Duration?
        for item in items where isIncluded(item.event) { first = min(first ?? item.time, item.time) }
        return first
    }

    /// Moves some events to later times.
    mutating func delay(by time: Duration, where isIncluded: (Event) -> Bool) {
        for index in items.indices where isIncluded(items[index].event) { items[index].time += time }
        // A sorted array is a heap.
        items.sort { ($0.time, $0.number) < ($1.time, $1.number) }
    }

    mutating func removeFirst() -> (time: Duration, event: Event)? {
        guard let first = items.first else { return nil }
        let last = items.removeLast()
        if !items.isEmpty {
            items[0] = last
            var index = 0
            while true {
                var least = index
                for child in [2 * index + 1, 2 * index + 2] where child < items.count && precedes(child, least) {
                    least = child
                }
                if least == index { break }
                items.swapAt(index, least)
                index = least
            }
        }
        return (first.time, first.event)
    }

    private func precedes(_ a: Int, _ b: Int) -> Bool {
        items[a].time != items[b].time ? items[a].time < items[b].time : items[a].number < items[b].number
    }
}
