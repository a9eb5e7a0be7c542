internal import COpenSSL
package import Foundation

/// An X.509 certificate.
package final class Certificate: @unchecked Sendable {
    // This is a class because it owns memory of OpenSSL, which counts its users atomically and doesn't change the
    // certificate.

    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { X509_free(pointer) }

    /// Reads the certificates of a text in PEM's format, in their order.
    package static func chain(pem: [UInt8]) throws(TLSError) -> [Certificate] {
        let chain = try withMemoryBIO(pem) { bio in
            var chain: [Certificate] = []
            while chain.count < 16, let certificate = PEM_read_bio_X509(bio, nil, nil, nil) {
                chain.append(Certificate(owning: certificate))
            }
            return chain
        }
        // The end of the text is an error, too.
        guard !chain.isEmpty else { throw .openSSL("The certificate can't be read") }
        ERR_clear_error()
        return chain
    }

    /// The certificate in PEM's format.
    package func pem() throws(TLSError) -> [UInt8] {
        try bytesWritten { PEM_write_bio_X509($0, pointer) == 1 }
    }

    /// The certificate in DER's format.
    package func der() throws(TLSError) -> [UInt8] {
        try bytesWritten { i2d_X509_bio($0, pointer) == 1 }
    }

    /// The SHA-256 digest, by which users compare certificates.
    package var fingerprint: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard X509_digest(pointer, EVP_sha256(), &bytes, &count) == 1 else { return [] }
        return Array(bytes.prefix(Int(count)))
    }

    /// The SHA-256 digest of the public key with its algorithm (SubjectPublicKeyInfo), which stays the same when the certificate is
    /// renewed for the same key.
    package var keyDigest: [UInt8] { Self.keyDigest(of: pointer) }

    /// Returns the ``keyDigest`` of a certificate; nothing if it has no key.
    static func keyDigest(of certificate: OpaquePointer?) -> [UInt8] {
        guard let key = X509_get0_pubkey(certificate), let info = try? bytesWritten({ i2d_PUBKEY_bio($0, key) == 1 })
        else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard EVP_Digest(info, info.count, &bytes, &count, EVP_sha256(), nil) == 1 else { return [] }
        return Array(bytes.prefix(Int(count)))
    }

    /// Whether nobody but its own key vouches for the certificate.
    package var isSelfSigned: Bool {
        X509_NAME_cmp(X509_get_issuer_name(pointer), X509_get_subject_name(pointer)) == 0
    }

    /// The end of the validity.
    package var expires: Date { Self.date(X509_get0_notAfter(pointer)) ?? .distantPast }

    /// The common name of the subject.
    package var commonName: String {
        let name = X509_get_subject_name(pointer)
        let index = X509_NAME_get_index_by_NID(name, NID_commonName, -1)
        guard let entry = X509_NAME_get_entry(name, index) else { return "" }
        return Self.text(X509_NAME_ENTRY_get_data(entry)) ?? ""
    }

    /// The host names and IP addresses that the certificate is for, in lowercase.
    package var names: [String] {
        guard let raw = X509_get_ext_d2i(pointer, NID_subject_alt_name, nil, nil) else { return [] }
        let names = OpaquePointer(raw)
        defer { GENERAL_NAMES_free(names) }
        return (0..<hearth_general_name_count(names)).compactMap { index in
            var type: Int32 = 0
            guard let name = hearth_general_name(names, index), let value = GENERAL_NAME_get0_value(name, &type) else {
                return nil
            }
            let string = value.assumingMemoryBound(to: ASN1_STRING.self)
            switch type {
            case GEN_DNS: return Self.text(string)?.lowercased()
            case GEN_IPADD: return Self.address(string)
            default: return nil
            }
        }
    }

    /// Returns whether another certificate has signed this one and permits its names.
    package func isValid(under authority: Certificate, at date: Date) -> Bool {
        guard let store = X509_STORE_new(), let context = X509_STORE_CTX_new() else { return false }
        defer {
            X509_STORE_CTX_free(context)
            X509_STORE_free(store)
            ERR_clear_error()
        }
        guard X509_STORE_add_cert(store, authority.pointer) == 1,
            X509_STORE_CTX_init(context, store, pointer, nil) == 1
        else { return false }
        X509_STORE_CTX_set_time(context, 0, time_t(date.timeIntervalSince1970))
        return X509_verify_cert(context) == 1
    }

    private static func date(_ time: UnsafePointer<ASN1_TIME>?) -> Date? {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        return Date(timeIntervalSince1970: TimeInterval(timegm(&parts)))
    }

    private static func text(_ string: UnsafePointer<ASN1_STRING>?) -> String? {
        bytes(string).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func address(_ string: UnsafePointer<ASN1_STRING>?) -> String? {
        guard let bytes = bytes(string), bytes.count == 4 || bytes.count == 16 else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func bytes(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8]? {
        guard let string, let data = ASN1_STRING_get0_data(string) else { return nil }
        return Array(UnsafeBufferPointer(start: data, count: Int(ASN1_STRING_length(string))))
    }
}
