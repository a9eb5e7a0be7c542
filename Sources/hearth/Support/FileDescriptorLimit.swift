import Glibc

/// The process's limit of open files and sockets.
enum FileDescriptorLimit {
    /// Raises the soft limit to the hard limit. The default soft limit is too low for many connections.
    static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
