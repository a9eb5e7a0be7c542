import Dispatch

/// Work that blocks its thread for long, as copying a database does.
enum FileWork {
    /// Runs work on a thread of its own.
    ///
    /// Tasks share as many threads as the machine has cores. On these, such work could wait forever for a reader of a
    /// database: readers are given back by tasks, which need one of the same threads.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "hearth.file-work").async {
                continuation.resume(with: Result { try work() })
            }
        }
    }
}
