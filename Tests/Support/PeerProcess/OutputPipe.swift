import Foundation
import Synchronization

/// The pipe of a program's standard output or standard error.
///
/// A class because the thread that reads it and the thread that awaits the program's end share it.
final class OutputPipe: Sendable {
    /// The pipe's descriptor; `nil` once it's closed. Held while bytes are read and received.
    private let descriptor: Mutex<Int32?>
    private let pipe: Int32

    /// Takes over the descriptor of a pipe.
    init(_ pipe: Int32) {
        self.pipe = pipe
        descriptor = Mutex(pipe)
    }

    /// Reads until no process can write anymore, then closes the pipe.
    func readToEnd(_ receive: (ArraySlice<UInt8>) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while awaitReadable(), descriptor.withLock({ readOnce($0, &buffer, receive) }) {}
        descriptor.withLock { open in
            if let pipe = open.take() { close(pipe) }
        }
    }

    /// Waits until all that was written before the call has been received.
    func awaitEmpty() {
        while descriptor.withLock({ $0.map(hasBytes) ?? false }) { usleep(1_000) }
    }

    private func awaitReadable() -> Bool {
        var entry = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, -1) < 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    private func readOnce(_ open: Int32?, _ buffer: inout [UInt8], _ receive: (ArraySlice<UInt8>) -> Void) -> Bool {
        guard let open else { return false }
        let count = read(open, &buffer, buffer.count)
        if count > 0 { receive(buffer.prefix(count)) }
        return count > 0 || count < 0 && errno == EINTR
    }

    private func hasBytes(_ open: Int32) -> Bool {
        var count: Int32 = 0
        return ioctl(open, UInt(FIONREAD), &count) == 0 && count > 0
    }
}
