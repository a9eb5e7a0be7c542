import Crypto
import Foundation
import Glibc
import HomePage
import NIOCore

/// The files of the page, which are part of the program.
struct PageFiles: Sendable {
    /// A file.
    struct File: Sendable {
        /// The media type.
        var type: String
        /// The contents.
        var bytes: ByteBuffer
        /// The contents in gzip's format; `nil` if that isn't smaller.
        var compressed: ByteBuffer?

        init(type: String, _ bytes: [UInt8]) {
            self.type = type
            self.bytes = ByteBuffer(bytes: bytes)
            compressed = Self.compressed(bytes)
        }

        private static func compressed(_ bytes: [UInt8]) -> ByteBuffer? {
            var size = 0
            guard !bytes.isEmpty, let compressed = home_page_compress(bytes, bytes.count, &size) else { return nil }
            defer { free(compressed) }
            guard size < bytes.count else { return nil }
            return ByteBuffer(bytes: UnsafeBufferPointer(start: compressed, count: size))
        }
    }

    /// The name of the whole set, which changes with any file.
    let hash: String
    /// The page itself.
    let index: File
    /// The other files, by name.
    let files: [String: File]

    static let indexName = "index.html"
    /// Stands for the hash in the page.
    private static let placeholder = "@ASSETS@"
    private static let types = [
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "ico": "image/x-icon",
        "js": "text/javascript; charset=utf-8", "json": "application/json", "png": "image/png",
        "svg": "image/svg+xml", "webmanifest": "application/manifest+json", "woff2": "font/woff2",
    ]

    /// The files that the program contains, with the home's page.
    static let embedded = PageFiles(contents)

    /// Returns the files that the program contains, with another page.
    static func embedded(index: String) -> PageFiles {
        PageFiles(contents, index: index)
    }

    private static var contents: [String: [UInt8]] {
        let files = (0..<home_page_file_count).map { index in
            let file = home_page_file_at(index)
            return (String(cString: file.name), Array(UnsafeBufferPointer(start: file.bytes, count: file.size)))
        }
        return Dictionary(uniqueKeysWithValues: files)
    }

    /// Creates a set of files.
    ///
    /// - Parameter index: The name of the page itself.
    init(_ contents: [String: [UInt8]], index name: String = indexName) {
        var hash = SHA256()
        for (name, bytes) in contents.sorted(by: { $0.key < $1.key }) {
            // The lengths keep apart what the contents of two sets could share.
            hash.update(data: Data("\(name.utf8.count) \(name) \(bytes.count) ".utf8))
            hash.update(data: bytes)
        }
        self.hash = hash.finalize().prefix(8).map { String(format: "%02x", $0) }.joined()
        let index = String(decoding: contents[name] ?? [], as: UTF8.self)
        self.index = File(
            type: "text/html; charset=utf-8",
            Array(index.replacing(Self.placeholder, with: self.hash).utf8)
        )
        files = contents.filter { $0.key != name }.reduce(into: [:]) { files, file in
            let type = file.key.split(separator: ".").last.flatMap { Self.types[String($0)] }
            let bytes =
                file.key.hasSuffix(".js") || file.key.hasSuffix(".css") ? Self.withoutComments(file.value) : file.value
            files[file.key] = File(type: type ?? "application/octet-stream", bytes)
        }
    }

    /// Returns a script or a style sheet without the lines that are only comments, and without indentation: a seventh of
    /// what a browser would load. No text of the page runs over several lines.
    private static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
        var isInComment = false
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
            .map { line in line.drop { $0 == UInt8(ascii: " ") } }
            .filter { text in
                let isEnd = text.suffix(2).elementsEqual("*/".utf8)
                if isInComment {
                    isInComment = !isEnd
                    return false
                }
                if text.starts(with: "/*".utf8) {
                    isInComment = !isEnd
                    return false
                }
                return !text.isEmpty && !text.starts(with: "//".utf8)
            }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
            + bytes.suffix(1).filter { $0 == UInt8(ascii: "\n") }
    }
}
