/// The tasks that take turns, one at a time per key, in the order of their requests.
///
/// The actor that owns the queue suspends a task that ``acquire(_:)`` does not let through, stores its continuation here as
/// the waiter, and resumes the waiter that ``release(_:)`` or ``remove(_:from:)`` returns.
struct TurnQueue<Key: Hashable & Sendable, Waiter: Sendable>: Sendable {
    /// Identifies a waiter.
    typealias Ticket = Int

    /// The waiters of each key whose turn is taken, in order.
    private var waiting: [Key: [(ticket: Ticket, waiter: Waiter)]] = [:]
    private var lastTicket = 0

    /// Acquires the turn if it is free, and returns whether it was.
    mutating func acquire(_ key: Key) -> Bool {
        guard waiting[key] == nil else { return false }
        waiting[key] = []
        return true
    }

    /// Creates the ticket of a task that is about to wait.
    mutating func nextTicket() -> Ticket {
        lastTicket += 1
        return lastTicket
    }

    /// Adds a waiter for a turn that is taken.
    mutating func append(_ waiter: Waiter, as ticket: Ticket, to key: Key) {
        waiting[key]?.append((ticket, waiter))
    }

    /// Passes the turn on.
    ///
    /// - Returns: The waiter that has the turn now, or `nil` if the turn is free.
    mutating func release(_ key: Key) -> Waiter? {
        guard waiting[key]?.isEmpty == false else {
            waiting[key] = nil
            return nil
        }
        return waiting[key]?.removeFirst().waiter
    }

    /// Removes a waiter that no longer waits.
    ///
    /// - Returns: The waiter, or `nil` if it has had its turn.
    mutating func remove(_ ticket: Ticket, from key: Key) -> Waiter? {
        guard let index = waiting[key]?.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        return waiting[key]?.remove(at: index).waiter
    }

    /// Returns the number of tasks that have or await the turn of a key.
    func count(for key: Key) -> Int { waiting[key].map { 1 + $0.count } ?? 0 }

    /// Returns the number of tasks that have or await the turn of a matching key.
    func count(where matches: (Key) -> Bool) -> Int {
        waiting.reduce(0) { matches($1.key) ? $0 + 1 + $1.value.count : $0 }
    }
}
