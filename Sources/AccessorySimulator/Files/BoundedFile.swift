#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A regular file that is read completely, up to a limit. Other files, such as pipes and devices, may never end.
struct BoundedFile: Sendable {
    /// The kind of file, for errors, such as `accessory file`.
    let kind: String
    let path: String
    /// The maximum size in bytes.
    let limit: Int

    private static let readSize = 65_536

    /// Reads the content.
    ///
    /// - Throws: ``SimulatorError`` with the code `unreadableFile`, or `invalidFile` if the file exceeds the limit.
    func bytes() throws(SimulatorError) -> [UInt8] {
        guard let bytes = try bytesIfPresent() else { throw unreadable("does not exist") }
        return bytes
    }

    /// Reads the content. Returns `nil` if the file doesn't exist.
    ///
    /// - Throws: The same errors as ``bytes()``.
    func bytesIfPresent() throws(SimulatorError) -> [UInt8]? {
        // Opening a pipe in blocking mode would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw unreadable("can't be read")
        }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable("can't be read") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw unreadable("is not a regular file") }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: Self.readSize)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable("can't be read") }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: chunk.prefix(count))
            guard bytes.count <= limit else {
                throw SimulatorError(.invalidFile, reason: "\(path) is larger than \(limit) bytes")
            }
        }
    }

    private func unreadable(_ problem: String) -> SimulatorError {
        SimulatorError(.unreadableFile, reason: "The \(kind) \(path) \(problem)")
    }
}
