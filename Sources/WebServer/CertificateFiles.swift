package import Foundation
package import TLS

/// A certificate and its key in files, which are read again when they change.
package struct CertificateFiles: Sendable {
    /// What the files held.
    package struct Contents: Sendable {
        /// The certificate, those of its issuers, and the key.
        package var identity: TLSIdentity
        /// The settings for connections.
        package var context: TLSContext
        /// The files' times of modification.
        package var modified: [Date?]
    }

    private let certificate: URL
    private let key: URL

    /// Names the files.
    package init(certificate: String, key: String) {
        self.certificate = URL(filePath: certificate)
        self.key = URL(filePath: key)
    }

    /// The files' times of modification, now.
    package var modified: [Date?] { [Self.modified(certificate), Self.modified(key)] }

    /// Reads the files.
    ///
    /// - Throws: ``HTTPServerError`` if a file can't be read, or ``TLSError``.
    package func read() throws -> Contents {
        // The times are read first: a file that changes meanwhile is read again.
        let modified = modified
        let chain = try Self.contents(certificate)
        let identity = try TLSIdentity(pemChain: chain, pemKey: try Self.contents(key))
        return Contents(identity: identity, context: try TLSContext(identity, servesHTTP2: true), modified: modified)
    }

    private static func contents(_ file: URL) throws -> [UInt8] {
        do {
            return Array(try Data(contentsOf: file))
        } catch {
            throw HTTPServerError("\(file.path) can't be read: \(error.localizedDescription)")
        }
    }

    private static func modified(_ file: URL) -> Date? {
        (try? FileManager.default.attributesOfItem(atPath: file.path))?[.modificationDate] as? Date
    }
}
