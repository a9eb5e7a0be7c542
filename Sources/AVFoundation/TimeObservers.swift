import CoreMedia
import Foundation

/// The observers of a player's time.
struct TimeObservers {
    /// A call of an observer.
    struct Call: Sendable {
        var queue: DispatchQueue
        var block: @Sendable () -> Void

        func perform() {
            queue.async(execute: block)
        }
    }

    /// The number of an observer in the form in which apps have it.
    final class Token: Sendable {
        let number: Int

        init(_ number: Int) {
            self.number = number
        }
    }

    private struct Periodic {
        var interval: Double
        var queue: DispatchQueue
        var block: @Sendable (CMTime) -> Void
    }

    private struct Boundary {
        var times: [Double]
        var queue: DispatchQueue
        var block: @Sendable () -> Void
    }

    private var periodic: [Int: Periodic] = [:]
    private var boundaries: [Int: Boundary] = [:]
    private var lastNumber = 0
    private var last: Double?

    /// The token of the observer that is added next.
    var nextToken: Token { Token(lastNumber + 1) }

    mutating func addPeriodic(
        _ interval: CMTime,
        _ queue: DispatchQueue?,
        _ block: @escaping @Sendable (CMTime) -> Void
    ) -> Token {
        lastNumber += 1
        // Shorter intervals than a packet can't be observed.
        let seconds = interval.isNumeric ? max(interval.seconds, 0.01) : .infinity
        periodic[lastNumber] = Periodic(interval: seconds, queue: queue ?? .main, block: block)
        return Token(lastNumber)
    }

    mutating func addBoundary(
        _ times: [CMTime],
        _ queue: DispatchQueue?,
        _ block: @escaping @Sendable () -> Void
    ) -> Token {
        lastNumber += 1
        let seconds = times.filter(\.isNumeric).map(\.seconds)
        boundaries[lastNumber] = Boundary(times: seconds, queue: queue ?? .main, block: block)
        return Token(lastNumber)
    }

    mutating func remove(_ token: Token) {
        periodic[token.number] = nil
        boundaries[token.number] = nil
    }

    /// Returns the calls that follow when playback has reached a time.
    mutating func reach(_ time: CMTime) -> [Call] {
        let now = time.seconds
        guard let last, now > last else {
            self.last = now
            return []
        }
        self.last = now
        let due = periodic.filter { ($0.value.interval.isFinite) && Self.crosses($0.value.interval, last, now) }
        let passed = boundaries.filter { $0.value.times.contains { last < $0 && $0 <= now } }
        let calls =
            due.map { ($0.key, Self.call($0.value, time)) }
            + passed.map { ($0.key, Call(queue: $0.value.queue, block: $0.value.block)) }
        return calls.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private static func crosses(_ interval: Double, _ last: Double, _ now: Double) -> Bool {
        (last / interval).rounded(.down) != (now / interval).rounded(.down)
    }

    /// Returns the calls that follow when the time jumps, and when playback starts or stops.
    mutating func jump(to time: CMTime) -> [Call] {
        last = time.seconds
        return periodic.sorted { $0.key < $1.key }.map { Self.call($0.value, time) }
    }

    private static func call(_ observer: Periodic, _ time: CMTime) -> Call {
        Call(queue: observer.queue) { [block = observer.block] in block(time) }
    }
}
