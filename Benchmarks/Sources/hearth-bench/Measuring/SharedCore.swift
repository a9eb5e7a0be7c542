import Foundation
import PeerProcess

/// A core that the measured programs and this one share while processor time is counted.
///
/// Waking a program on another core takes an interrupt between the cores, which counts as the time of whoever wakes it.
/// In a virtual machine that is more than the rest of a request, and whether there is one depends on where the scheduler
/// has just put the programs: the same request took 12 and 47 µs in two rounds.
struct SharedCore {
    private let processes: [Int32]
    /// The cores that the programs could use before, as `taskset` lists them.
    private let cores: String

    /// Moves this program and others to one core, with all their threads. Programs and threads that they start stay there.
    init(with processes: [Int32]) async throws {
        self.processes = processes + [getpid()]
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
        cores = line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? ""
        guard let last = cores.split(whereSeparator: { !$0.isNumber }).last else {
            throw BenchFailure("the kernel doesn't say on which cores this program may run")
        }
        try await move(to: String(last))
    }

    /// Lets the programs use all cores again.
    func leave() async throws {
        try await move(to: cores)
    }

    private func move(to cores: String) async throws {
        let commands = processes.map { "taskset --all-tasks --cpu-list --pid \(cores) \($0)" }
        try await ShellScript.run(commands.joined(separator: "\n"))
    }
}
