import Foundation
import Synchronization

/// A program with pipes for its standard streams, which the kernel kills when this process ends for any reason.
///
/// Foundation's `Process` isn't used: other programs that start at the same time inherit its pipes, its termination
/// handler can miss a process that ends immediately, and its programs survive this process.
struct SpawnedProgram {
    /// The process ID.
    let identifier: Int32
    /// The write end of its standard input.
    let input: Int32
    /// The read end of its standard output.
    let output: Int32
    /// The read end of its standard error.
    let errors: Int32

    /// Ignores SIGPIPE. Otherwise a peer that ends while it is written to would end the test process.
    private static let ignoresBrokenPipes: Void = {
        signal(SIGPIPE, SIG_IGN)
    }()

    /// Asks the kernel for a signal when its parent ends, and becomes another program. It is part of util-linux.
    private static let setpriv = "/usr/bin/setpriv"

    /// Starts a program.
    init(_ path: String, _ arguments: [String], _ environment: [String: String]) throws {
        for program in [path, Self.setpriv] where access(program, X_OK) != 0 {
            throw PeerProcessError("\(program) can't be started: \(String(cString: strerror(errno)))")
        }
        self = try LaunchThread.shared.run {
            try SpawnedProgram(alone: Self.setpriv, ["--pdeathsig", "KILL", path] + arguments, environment)
        }
    }

    private init(alone path: String, _ arguments: [String], _ environment: [String: String]) throws {
        Self.ignoresBrokenPipes
        let (childInput, input) = try Self.makePipe()
        let (output, childOutput) = try Self.makePipe()
        let (errors, childErrors) = try Self.makePipe()

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in [childInput, childOutput, childErrors].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }

        try Self.closeOtherDescriptors(&actions)

        // The program must not inherit blocked and ignored signals.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let argv = ([path] + arguments).map { strdup($0) } + [nil]
        let envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for text in argv + envp {
                free(text)
            }
        }
        var identifier: pid_t = 0
        let result = posix_spawn(&identifier, path, &actions, &attributes, argv, envp)
        for descriptor in [childInput, childOutput, childErrors] {
            close(descriptor)
        }
        guard result == 0 else {
            for descriptor in [input, output, errors] {
                close(descriptor)
            }
            throw PeerProcessError("\(path) can't be started: \(String(cString: strerror(result)))")
        }
        (self.identifier, self.input, self.output, self.errors) = (identifier, input, output, errors)
    }

    /// Closes all descriptors in the program but its standard streams. Sockets of this process, even one that another
    /// thread opens at this moment, aren't closed on exec, and the program would keep their ports in use.
    private static func closeOtherDescriptors(_ actions: inout posix_spawn_file_actions_t) throws {
        // The header declares it only for GNU sources, which Swift's isn't.
        typealias AddCloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else {
            throw PeerProcessError("the C library is older than glibc 2.34")
        }
        _ = unsafeBitCast(symbol, to: AddCloseFrom.self)(&actions, STDERR_FILENO + 1)
    }

    private static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw PeerProcessError("can't create a pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return (ends[0], ends[1])
    }
}

/// A file descriptor.
extension Int32 {
    /// Writes all bytes. Returns whether that was possible.
    func writeAll(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(self, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// A process ID.
extension Int32 {
    /// Waits until the process has ended, without reaping it.
    func awaitExit() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(self), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }

    /// Reaps a process that has ended. Returns its exit status, or the negative number of the signal that ended it.
    func reap() -> Int32 {
        var status: Int32 = 0
        while waitpid(self, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : -signal
    }
}
