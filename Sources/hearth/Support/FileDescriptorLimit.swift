import Glibc

/// How many files and sockets the process may have open.
enum FileDescriptorLimit {
    /// Takes as many as the system allows: what it grants unasked is meant for programs without many connections.
    static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
