import Foundation
import PeerProcess
import Synchronization
import Testing

/// The programs of a test process that is killed.
struct ParentDeathTests {
    private static let parent = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "peer-parent")

    /// Returns whether a process runs. A process that has ended may stay in the table until its new parent reaps it.
    private static func isRunning(_ process: Int32) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let state = status.split(separator: ")").last?.split(separator: " ").first
        else { return false }
        return !["Z", "X"].contains(state)
    }

    @Test(arguments: [SIGKILL, SIGTERM]) func programsEndWithTheProcessThatStartedThem(signal: Int32) async throws {
        let parent = try PeerProcess(Self.parent)
        let line = try await parent.line("the program's process ID") { Int32($0) != nil }
        let child = try #require(Int32(line))
        defer { kill(child, SIGKILL) }
        #expect(Self.isRunning(child))
        parent.kill(signal)
        #expect(await parent.exit() == -signal)
        try await Wait.until("the program has ended") { !Self.isRunning(child) }
    }

    private static let started = Mutex<PeerProcess?>(nil)

    /// The kernel's signal is for the end of a thread, and a pool may end the thread that asked for a program.
    @Test func programsOutliveTheThreadThatAskedForThem() async throws {
        var thread = pthread_t()
        let status = pthread_create(
            &thread,
            nil,
            { _ in
                ParentDeathTests.started.withLock { $0 = try? PeerProcess(URL(filePath: "/bin/cat")) }
                return nil
            },
            nil
        )
        try #require(status == 0 && pthread_join(thread, nil) == 0)
        let peer = try #require(Self.started.withLock { $0.take() })
        for number in 0..<20 {
            try peer.send("\(number)")
            _ = try await peer.line("the echo") { $0 == "\(number)" }
        }
        peer.closeInput()
        #expect(await peer.exit() == 0)
    }
}
