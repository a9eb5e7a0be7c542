import Foundation
import PeerProcess

/// A stand-in for a test process: starts a program that never ends by itself, and prints its process ID.
@main
struct PeerParent {
    static func main() async throws {
        let peer = try PeerProcess(URL(filePath: "/bin/sleep"), ["infinity"])
        FileHandle.standardOutput.write(Data("\(peer.processIdentifier)\n".utf8))
        await peer.exit()
    }
}
