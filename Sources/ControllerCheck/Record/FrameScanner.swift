/// Reads the lengths of the frames on a secured connection, without opening them.
struct FrameScanner {
    private static let maximumLength = 1024
    private static let tagLength = 16

    /// The number of bytes until the next header.
    private var rest = 0
    private var header: [UInt8] = []

    /// Returns the lengths that aren't 1 to 1024 in the next bytes. After one, the rest isn't read.
    mutating func scan(_ bytes: [UInt8]) -> [Int] {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            guard rest == 0 else {
                let count = min(rest, bytes.count)
                bytes = bytes.dropFirst(count)
                rest -= count
                continue
            }
            header.append(bytes.removeFirst())
            guard header.count == 2 else { continue }
            let length = Int(header[0]) | Int(header[1]) << 8
            header = []
            guard (1...Self.maximumLength).contains(length) else {
                rest = .max
                return [length]
            }
            rest = length + Self.tagLength
        }
        return []
    }
}
