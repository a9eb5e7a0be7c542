#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What one ``StorageDocument`` holds, as JSON.
protocol StoredContent: Codable, Sendable {
    /// The document.
    static var document: StorageDocument { get }
    /// The form in which the document is written.
    var format: StorageFormat { get }
}

/// The form of stored documents: decoding refuses one that this version does not know.
enum StorageFormat: Int, Codable, Sendable {
    case first = 1
}

/// What the documents of a storage have in common.
enum StoredDocuments {
    /// What to do if one of them is gone or damaged.
    static let remedy =
        "Restore it from a copy, or remove the whole folder to begin anew as an accessory nobody is paired with"
}

extension AccessoryStorage {
    /// Reads a document, `nil` if it was never written.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `storageUnreadable`, also if what is there is torn, not whole
    ///   or of another version. It stays as it is: what is in it may be all that a pairing depends on.
    func load<Content: StoredContent>(_: Content.Type) throws(AccessoryServerError) -> Content? {
        guard let bytes = try read(Content.document) else { return nil }
        do {
            return try JSONDecoder().decode(Content.self, from: Data(bytes))
        } catch {
            throw AccessoryServerError(
                .storageUnreadable,
                reason:
                    "\(location(of: Content.document)) cannot be read (\(Self.describe(error))). It was left as it is. "
                    + StoredDocuments.remedy
            )
        }
    }

    /// Replaces a document.
    func save<Content: StoredContent>(_ content: Content) throws(AccessoryServerError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let bytes: Data
        do {
            bytes = try encoder.encode(content)
        } catch {
            throw AccessoryServerError(.storageUnwritable, reason: "\(location(of: Content.document)): \(error)")
        }
        try write(Array(bytes) + [UInt8(ascii: "\n")], to: Content.document)
    }

    /// What is wrong with a document, without its content, which may be secret.
    private static func describe(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "it is damaged" }
        switch error {
        case .keyNotFound(let key, _): return "'\(key.stringValue)' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? "it is torn or no JSON" : "'\(path)' is damaged or of a newer version"
        @unknown default: return "it is damaged"
        }
    }
}
