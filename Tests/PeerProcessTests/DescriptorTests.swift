import Foundation
import PeerProcess
import Synchronization
import Testing

/// What a program inherits.
struct DescriptorTests {
    /// A program that keeps a socket of this process keeps its port in use, and accepts connections to it.
    @Test func aProgramHasNoSocketOfThisProcess() async throws {
        let opening = SocketOpener()
        defer { opening.stop() }
        for _ in 0..<10 {
            let open = try await ShellScript.run("ls -l /proc/$$/fd")
            #expect(!open.contains("socket:"), "\(open)")
        }
    }

    /// A thread that opens and closes sockets all the time.
    private final class SocketOpener: Sendable {
        // This is a class because the thread and the test share it.
        private let isStopped = Mutex(false)

        init() {
            Thread.detachNewThread { [self] in
                while !isStopped.withLock({ $0 }) {
                    let sockets = (0..<20).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
                    for socket in sockets { close(socket) }
                }
            }
        }

        func stop() {
            isStopped.withLock { $0 = true }
        }
    }
}
