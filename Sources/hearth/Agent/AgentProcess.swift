import Foundation
import Glibc

/// The agent as a process of its own, which outlives the command that starts it.
enum AgentProcess {
    /// `POSIX_SPAWN_SETSID` of `<spawn.h>`, which Swift can't import, because it is a macro of a macro.
    private static let newSession: Int16 = 0x80

    /// Returns the path of the log of an agent that a command started.
    static func logPath(data: String?) -> String {
        (data.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? StandardFolder.agentData())
            .appending(path: "agent.log").path
    }

    /// Starts the agent in a session of its own, so that it doesn't end with the terminal.
    static func start(socket: String, data: String?) throws(CommandFailure) {
        let folder = data.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? StandardFolder.agentData()
        try? FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: NSNumber(value: 0o700)]
        )
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &actions,
            STDOUT_FILENO,
            logPath(data: data),
            O_WRONLY | O_CREAT | O_APPEND,
            S_IRUSR | S_IWUSR
        )
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, newSession)
        let words = ["hearth", "agent", "--socket", socket, "--data", folder.path]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let code = posix_spawn(&process, "/proc/self/exe", &actions, &attributes, arguments, environ)
        guard code == 0 else {
            throw CommandFailure("noHub", "The agent can't be started: \(String(cString: strerror(code))).")
        }
    }
}
