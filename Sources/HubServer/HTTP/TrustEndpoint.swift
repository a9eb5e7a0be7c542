import Foundation
import HTTPTypes
import NIOCore
import TLS
import WebServer

/// Serves the certificate of the hub's own authority, and a page that says how to install it. The page works without
/// scripts and without encryption: users compare the fingerprint with what `hearth login` prints.
struct TrustEndpoint: Sendable {
    static let path = "/trust"
    static let certificatePath = "/trust/hearth.crt"
    static let descriptionPath = "/trust.json"
    /// The media type of the certificate.
    static let certificateType = "application/x-x509-ca-cert"
    /// The style of the page, if the page's files have it.
    private static let style = "trust.css"

    private let page: HTTPAnswer
    private let certificate: HTTPAnswer
    private let description: HTTPAnswer

    /// - Parameters:
    ///   - authority: The certificate of the authority.
    ///   - files: The page's files.
    init(authority: Certificate, files: PageFiles) {
        let style = files.files[Self.style] == nil ? nil : "/assets/\(files.hash)/\(Self.style)"
        page = HTTPAnswer(
            type: "text/html; charset=utf-8",
            ByteBuffer(string: TrustPage(authority, certificate: Self.certificatePath, style: style).html)
        )
        .with(.cacheControl, "no-store")
        certificate = HTTPAnswer(
            type: Self.certificateType,
            ByteBuffer(bytes: (try? authority.der()) ?? []),
            [.cacheControl: "no-store", .contentDisposition: #"attachment; filename="hearth.crt""#]
        )
        description = HTTPAnswer(json: Self.json(authority))
    }

    /// Returns the response to a `GET` or `HEAD` request; `nil` if this part doesn't serve the path.
    func answer(to path: String) -> HTTPAnswer? {
        switch path {
        case Self.path: page
        case Self.certificatePath: certificate
        case Self.descriptionPath: description
        default: nil
        }
    }

    private static func json(_ authority: Certificate) -> String {
        let description = TrustReply(
            name: authority.commonName,
            fingerprint: authority.fingerprintText,
            expires: authority.expires
        )
        return (try? JSONEncoder().encode(description)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

extension Certificate {
    /// The SHA-256 digest as clients show it: `AB:CD:…`.
    var fingerprintText: String {
        fingerprint.map { String(format: "%02X", $0) }.joined(separator: ":")
    }
}
