import Foundation
import HomeModel
package import HubAPI
import RelayClient
import TLS

/// A relay that hubs and devices recognize by the key of its certificate, because no authority has signed it.
package struct PinnedRelay: Hashable, Sendable {
    /// The relay's address with its pin.
    package let url: String
    /// Whether nobody but its own key vouches for the certificate.
    package let isSelfSigned: Bool

    /// Creates the address of a relay with the pin of its certificate.
    ///
    /// - Parameters:
    ///   - url: The relay's address, with the pin of another key of the relay if it has one.
    ///   - path: A file with the relay's certificate in PEM's format. If it has several, the first one is the relay's.
    /// - Throws: `invalidParameter` if the address or the certificate can't be used.
    package init(at url: String, certificate path: String) throws(HubError) {
        guard let text = FileManager.default.contents(atPath: path) else {
            throw Self.invalid("The certificate \(path) can't be read.")
        }
        let certificate: Certificate
        do throws(TLSError) {
            certificate = try Certificate.chain(pem: Array(text))[0]
        } catch {
            throw Self.invalid("\(path) isn't a certificate in PEM's format.")
        }
        isSelfSigned = certificate.isSelfSigned
        let address = url.hasSuffix("/") ? String(url.dropLast()) : url
        let pin = "\(RelayPin(certificate))"
        let parts = address.split(separator: "#", maxSplits: 1)
        let pins = parts.count > 1 ? parts[1].split(separator: "&") : []
        guard !pins.contains(pin[...]) else {
            self.url = address
            return
        }
        guard pins.count < RelayPin.maximumCount else {
            throw Self.invalid(
                "The address already has \(RelayPin.maximumCount) pins. Remove the pin of the key that the relay no longer has."
            )
        }
        self.url = address + (pins.isEmpty ? "#" : "&") + pin
    }

    private static func invalid(_ reason: String) -> HubError { HubError(HomeError(.invalidParameter, reason)) }
}
