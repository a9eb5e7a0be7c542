import Foundation
import PeerProcess

/// A stand-in for a test process: starts a program that never ends by itself, and prints its process ID.
@main
struct PeerParent {
    static func main() async throws {
        let peer = try PeerProcess(URL(filePath: "/bin/sh"), ["-c", "echo ready; exec sleep infinity"])
        // Until the program runs, the kernel doesn't know that it must end with this process.
        _ = try await peer.line("its start") { $0 == "ready" }
        FileHandle.standardOutput.write(Data("\(peer.processIdentifier)\n".utf8))
        await peer.exit()
    }
}
