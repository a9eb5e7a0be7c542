import Foundation
public import PeerProcess
import Synchronization

/// A host of a ``NetworkLab`` with a separate network, host name and `/run`. Everything else is shared with this
/// machine.
///
/// A process keeps the host alive. It ends with its standard input, so the host goes with the test process in any case.
/// This is a class because it represents that process.
public final class LabHost: Sendable {
    /// The host's name.
    public let name: String
    let keeper: PeerProcess
    private let programs = Mutex<[PeerProcess]>([])

    init(name: String) throws {
        self.name = name
        // Addresses are usable immediately: a test doesn't wait for duplicate address detection.
        let script = """
            set -e
            mount -t tmpfs tmpfs /run
            echo "$1" >/proc/sys/kernel/hostname
            echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad
            echo 0 >/proc/sys/net/ipv6/conf/default/dad_transmits
            # The second address of a network stays when the first one goes.
            echo 1 >/proc/sys/net/ipv4/conf/all/promote_secondaries
            ip link set lo up
            echo kept
            exec cat >/dev/null
            """
        let arguments = ["--net", "--mount", "--uts", "/bin/bash", "-c", script, "keeper", name]
        keeper = try PeerProcess(URL(filePath: "/usr/bin/unshare"), arguments)
    }

    /// The command that starts a program on the host.
    private var entrance: [String] {
        ["/usr/bin/nsenter", "--target", "\(keeper.processIdentifier)", "--net", "--mount", "--uts", "--"]
    }

    func awaitKept() async throws {
        _ = try await keeper.line("the host \(name)") { $0 == "kept" }
    }

    /// Starts a program on the host. It ends with the lab at the latest.
    public func start(_ program: String, _ arguments: [String] = []) throws -> PeerProcess {
        let process = try PeerProcess(
            URL(filePath: entrance[0]),
            entrance.dropFirst() + [program] + arguments,
            environment: ["PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"]
        )
        programs.withLock { $0.append(process) }
        return process
    }

    /// Starts one of the scripts in `Tests/Peers`.
    public func startPeer(_ script: String, _ arguments: [String] = []) throws -> PeerProcess {
        let file = try PeerPython.packageRoot().appending(path: "Tests/Peers/\(script)").path
        return script.hasSuffix(".py")
            ? try start(PeerPython.interpreter().path, [file] + arguments)
            : try start("/bin/bash", [file] + arguments)
    }

    /// Runs a shell script on the host to its end, as ``ShellScript/run(_:through:within:)`` does.
    @discardableResult
    public func run(_ script: String, within limit: Duration = Wait.limit) async throws -> String {
        try await ShellScript.run(script, through: entrance, within: limit)
    }

    /// The addresses of the host's cables.
    public func addresses() async throws -> [String] {
        // The address is the fourth word of lines such as “2: eth0    inet 10.77.0.1/24 …”.
        let script = "ip -oneline addr show up | grep -v ': lo ' | tr -s ' ' | cut -d ' ' -f 4 | cut -d / -f 1"
        return try await run(script).split(separator: "\n").map(String.init)
    }

    /// Ends the programs that were started on the host, and the host.
    func end() async {
        let running = programs.withLock { programs in
            defer { programs = [] }
            return programs
        }
        for program in running.reversed() {
            await program.terminate()
        }
        await keeper.terminate()
    }
}
