internal import NIOCore

/// The pieces in which a ``TrafficRewriter`` writes messages, in order.
struct OutputPieces {
    /// What to do next.
    enum Step {
        case piece([UInt8])
        case close
    }

    /// The pause between two pieces, so that they arrive one by one.
    static let pause = TimeAmount.milliseconds(2)

    /// Whether a pause has begun.
    var isScheduled = false
    private var steps: [Step] = []
    private var start = 0

    /// Whether all is written.
    var isEmpty: Bool { start == steps.count }

    mutating func add(_ output: TrafficRewriter.Output) {
        steps += output.pieces.map(Step.piece)
        if output.closes { steps.append(.close) }
    }

    mutating func next() -> Step? {
        guard start < steps.count else { return nil }
        defer {
            start += 1
            if start == steps.count { (steps, start) = ([], 0) }
        }
        return steps[start]
    }
}
