import Foundation
import Synchronization

/// Writes samples to a file or a pipe, without making the network wait for a slow reader.
///
/// This is a class because it owns a descriptor.
final class SampleWriter: Sendable {
    /// The maximum number of bytes that wait for the reader, about 95 s.
    private static let backlogLimit = 16_777_216

    private let descriptor: CInt
    private let queue = DispatchQueue(label: "samples")
    private let backlog = Mutex(0)
    private let hasFailed = Atomic(false)

    /// Opens a file, whose content is replaced, or standard output for “-”.
    ///
    /// - Throws: ``CommandFailure`` if the file can't be opened.
    init(path: String) throws(CommandFailure) {
        if path == "-" {
            descriptor = dup(STDOUT_FILENO)
        } else {
            descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        }
        guard descriptor >= 0 else {
            throw CommandFailure("fileUnwritable", "\(path) can't be written: \(String(cString: strerror(errno))).")
        }
    }

    /// Writes samples later, in order. If too many wait already, they are lost.
    func write(_ samples: [UInt8]) {
        let fits = backlog.withLock { backlog in
            guard backlog + samples.count <= Self.backlogLimit else { return false }
            backlog += samples.count
            return true
        }
        guard fits else { return report("samplesLost: the reader of the samples is too slow.") }
        queue.async { [self] in
            writeNow(samples)
            backlog.withLock { $0 -= samples.count }
        }
    }

    /// Waits until all samples are written, unless the reader doesn't read, and closes the file.
    func finish() {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        _ = isDone.wait(timeout: .now() + 5)
        close(descriptor)
    }

    private func writeNow(_ samples: [UInt8]) {
        var rest = samples[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return report("outputFailed: \(String(cString: strerror(errno)))")
            }
        }
    }

    private func report(_ problem: String) {
        guard !hasFailed.exchange(true, ordering: .relaxed) else { return }
        ProgramOutput.note("error: \(problem)")
    }
}
