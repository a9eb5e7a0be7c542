import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import WebServer

/// Serves the page and its files.
struct PageEndpoint: Sendable {
    static let assetPrefix = "/assets/"

    let files: PageFiles

    /// Responds to a `GET` or `HEAD` request.
    func answer(to request: Request) -> HTTPAnswer {
        let path = request.uri.path
        if path.hasPrefix(Self.assetPrefix) { return asset(path.dropFirst(Self.assetPrefix.count), request) }
        // The page shows what its own paths mean.
        guard !path.contains(".") else { return .notFound }
        return Self.answer(files.index, to: request).with(.cacheControl, "no-store")
    }

    private func asset(_ path: Substring, _ request: Request) -> HTTPAnswer {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        // A page of another version must not mix its files with these.
        guard parts.count == 2, parts[0] == files.hash, let file = files.files[String(parts[1])] else {
            return HTTPAnswer.notFound.with(.cacheControl, "no-store")
        }
        return Self.answer(file, to: request).with(.cacheControl, "public, max-age=31536000, immutable")
    }

    private static func answer(_ file: PageFiles.File, to request: Request) -> HTTPAnswer {
        guard let compressed = file.compressed, accepts("gzip", request.headers[.acceptEncoding]) else {
            return HTTPAnswer(type: file.type, file.bytes, [.vary: "Accept-Encoding"])
        }
        return HTTPAnswer(type: file.type, compressed, [.vary: "Accept-Encoding", .contentEncoding: "gzip"])
    }

    /// Returns whether a client accepts a content coding.
    private static func accepts(_ coding: String, _ field: String?) -> Bool {
        (field ?? "").split(separator: ",").contains { item in
            let parts = item.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return parts.first == coding && weight != 0
        }
    }
}
