import Foundation

/// The lines of standard input, with which a person or a script asks for the next scenario.
///
/// It is a class because one thread reads for all scenarios.
final class StandardInputLines: Sendable {
    private static let limit = 64

    private let lines: AsyncStream<Void>

    /// Starts reading.
    init() {
        let (lines, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(Self.limit))
        self.lines = lines
        Thread.detachNewThread {
            while readLine() != nil { continuation.yield() }
            // The end of the input isn't a request.
        }
    }

    /// Waits for a line, or until the task is canceled.
    func next() async {
        for await _ in lines { return }
    }
}
