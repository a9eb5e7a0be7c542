#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The content of a ``StorageDocument``, stored as JSON.
protocol StoredContent: Codable, Sendable {
    /// The document.
    static var document: StorageDocument { get }
    /// The version of the document's format.
    var format: StorageFormat { get }

    /// Decodes the document's bytes.
    init(decoding bytes: [UInt8]) throws

    /// Returns the document's bytes.
    func encoded() throws -> [UInt8]
}

extension StoredContent {
    init(decoding bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(bytes))
    }

    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return Array(try encoder.encode(self))
    }
}

/// The version of the documents' format. Decoding fails for an unknown version.
enum StorageFormat: Int, Codable, Sendable {
    case first = 1
}

/// Constants for the documents of a storage.
enum StoredDocuments {
    /// The advice if a document is missing or damaged.
    static let remedy =
        "Restore it from a copy, or remove the whole folder to start again as an unpaired accessory"
}

extension AccessoryStorage {
    /// Loads a document, or returns `nil` if it was never written.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `storageUnreadable`, also if the document is damaged,
    ///   incomplete or of another version. The document is left unchanged, because pairings may depend on it.
    func load<Content: StoredContent>(_: Content.Type) throws(AccessoryServerError) -> Content? {
        guard let bytes = try read(Content.document) else { return nil }
        do {
            return try Content(decoding: bytes)
        } catch {
            throw AccessoryServerError(
                .storageUnreadable,
                reason:
                    "\(location(of: Content.document)) can't be read (\(Self.describe(error))). It was left unchanged. "
                    + StoredDocuments.remedy
            )
        }
    }

    /// Replaces a document.
    func save<Content: StoredContent>(_ content: Content) throws(AccessoryServerError) {
        let bytes: [UInt8]
        do {
            bytes = try content.encoded()
        } catch {
            throw AccessoryServerError(.storageUnwritable, reason: "\(location(of: Content.document)): \(error)")
        }
        try write(bytes + [UInt8(ascii: "\n")], to: Content.document)
    }

    /// Returns the problem with a document, without its content, which may be secret.
    private static func describe(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "it is damaged" }
        switch error {
        case .keyNotFound(let key, _): return "'\(key.stringValue)' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? "it is damaged or not JSON" : "'\(path)' is damaged or from a newer version"
        @unknown default: return "it is damaged"
        }
    }
}
