internal import COpenSSL
import Foundation

/// A certificate that is being made.
struct CertificateDraft {
    private let certificate: Certificate
    private var pointer: OpaquePointer { certificate.pointer }

    /// Creates a draft without names and with the serial number 1, so that nothing but the key is in it.
    init(key: PrivateKey, from start: Date, to end: Date) throws(TLSError) {
        guard let draft = X509_new() else { throw .openSSL("Memory is short") }
        certificate = Certificate(owning: draft)
        guard X509_set_version(draft, 2) == 1, ASN1_INTEGER_set(X509_get_serialNumber(draft), 1) == 1,
            ASN1_TIME_set(X509_getm_notBefore(draft), time_t(start.timeIntervalSince1970)) != nil,
            ASN1_TIME_set(X509_getm_notAfter(draft), time_t(end.timeIntervalSince1970)) != nil,
            X509_set_pubkey(draft, key.pointer) == 1
        else { throw .openSSL("A certificate can't be made") }
    }

    /// Creates a draft with a random serial number.
    init(commonName: String, key: PrivateKey, from start: Date, to end: Date) throws(TLSError) {
        try self.init(key: key, from: start, to: end)
        let draft = certificate.pointer
        // 159 random bits are within the 20 octets that a serial number can have.
        guard let serial = BN_new() else { throw .openSSL("Memory is short") }
        defer { BN_free(serial) }
        let name = X509_get_subject_name(draft)
        guard BN_rand(serial, 159, 0, 0) == 1, BN_to_ASN1_INTEGER(serial, X509_get_serialNumber(draft)) != nil,
            X509_NAME_add_entry_by_NID(name, NID_organizationName, MBSTRING_UTF8, "Hearth", -1, -1, 0) == 1,
            X509_NAME_add_entry_by_NID(name, NID_commonName, MBSTRING_UTF8, commonName, -1, -1, 0) == 1
        else { throw .openSSL("A certificate can't be made") }
    }

    /// Adds an extension in the syntax of OpenSSL's configuration.
    ///
    /// - Parameter issuer: The certificate of the key that signs, if the extension refers to it.
    func add(_ id: Int32, _ value: String, issuer: Certificate? = nil) throws(TLSError) {
        var context = X509V3_CTX()
        hearth_x509v3_set_certificates(&context, issuer?.pointer ?? pointer, pointer)
        guard let item = X509V3_EXT_conf_nid(nil, &context, id, value) else {
            throw .openSSL("A certificate can't be made")
        }
        defer { X509_EXTENSION_free(item) }
        guard X509_add_ext(pointer, item, -1) == 1 else { throw .openSSL("A certificate can't be made") }
    }

    /// Signs the draft.
    ///
    /// - Parameter issuer: The certificate of the key that signs; `nil` if it signs its own certificate.
    func signed(by key: PrivateKey, of issuer: Certificate?) throws(TLSError) -> Certificate {
        let name = X509_get_subject_name(issuer?.pointer ?? pointer)
        // Ed25519 hashes by itself.
        let digest = key.ed25519PublicKey == nil ? EVP_sha256() : nil
        guard X509_set_issuer_name(pointer, name) == 1, X509_sign(pointer, key.pointer, digest) > 0
        else { throw .openSSL("A certificate can't be signed") }
        return certificate
    }
}
