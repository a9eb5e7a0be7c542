#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A file that is read whole, up to a limit: what is no regular file, such as a pipe or a device, may never end.
struct BoundedFile: Sendable {
    /// What it is, for errors: `accessory file`.
    let kind: String
    let path: String
    /// The most bytes that it may have.
    let limit: Int

    private static let readSize = 65_536

    /// The content.
    ///
    /// - Throws: ``SimulatorError`` with the code `unreadableFile`, or `invalidFile` if it is larger than the limit.
    func bytes() throws(SimulatorError) -> [UInt8] {
        guard let bytes = try bytesIfPresent() else { throw unreadable("does not exist") }
        return bytes
    }

    /// The content; `nil` if there is no such file.
    ///
    /// - Throws: As ``bytes()``.
    func bytesIfPresent() throws(SimulatorError) -> [UInt8]? {
        // Opening a pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw unreadable("cannot be read")
        }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable("cannot be read") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw unreadable("is no regular file") }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: Self.readSize)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable("cannot be read") }
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
