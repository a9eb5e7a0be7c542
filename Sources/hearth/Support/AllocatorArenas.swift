import Glibc

/// The arenas of the C library's allocator.
enum AllocatorArenas {
    /// `M_ARENA_MAX` of `<malloc.h>`, which Swift's module of glibc doesn't have.
    private static let maximum: CInt = -8

    private typealias SetOption = @convention(c) (CInt, CInt) -> CInt

    /// Makes all threads of a service share one arena, unless `MALLOC_ARENA_MAX` is set. Call it before other threads
    /// start.
    ///
    /// A service runs for months, mostly on one thread. Each further arena would only keep what its threads have freed.
    static func share() {
        guard getenv("MALLOC_ARENA_MAX") == nil, let symbol = dlsym(nil, "mallopt") else { return }
        _ = unsafeBitCast(symbol, to: SetOption.self)(maximum, 1)
    }
}
