#ifndef HEARTH_OPENSSL_H
#define HEARTH_OPENSSL_H

// The distribution's OpenSSL, and functions in place of its macros, which Swift doesn't import.

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>

/// Sets the lowest version of TLS, and turns off what needs the state of earlier connections.
static inline int hearth_ssl_ctx_configure(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(
        context,
        SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE
    );
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 && SSL_CTX_set_num_tickets(context, 0) == 1;
}

/// Selects a protocol above TLS from those that the client offers (RFC 7301). Without one in common, the handshake ends.
///
/// \param supported the names in their order, each after a byte with its length, with an empty one at the end.
static inline int hearth_select_protocol(
    SSL *connection,
    const unsigned char **selected,
    unsigned char *length,
    const unsigned char *offered,
    unsigned int offered_length,
    void *supported
) {
    (void)connection;
    for (const unsigned char *name = supported; *name; name += *name + 1) {
        for (unsigned int start = 0; start < offered_length; start += offered[start] + 1u) {
            if (offered[start] == *name && start + 1u + *name <= offered_length
                && memcmp(offered + start + 1, name + 1, *name) == 0) {
                *selected = name + 1;
                *length = *name;
                return SSL_TLSEXT_ERR_OK;
            }
        }
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL;
}

/// Sets the protocols above TLS: HTTP/1.1, and HTTP/2 before it if it is served too.
static inline void hearth_ssl_ctx_set_protocols(SSL_CTX *context, int has_http2) {
    static unsigned char both[] = "\x02h2\x08http/1.1";
    SSL_CTX_set_alpn_select_cb(context, hearth_select_protocol, has_http2 ? both : both + 3);
}

/// The longest chain of certificates that is read, in bytes: a certificate of a key alone has some 200.
enum { hearth_pinned_chain_bytes = 4096 };

/// Limits the settings to what hubs and devices need: TLS 1.3, with Ed25519 at both ends and a certificate of the client.
///
/// \param protocols the protocols above TLS, as `hearth_select_protocol` reads them. They outlive the settings.
static inline int hearth_ssl_ctx_configure_pinned(SSL_CTX *context, unsigned char *protocols) {
    SSL_CTX_set_alpn_select_cb(context, hearth_select_protocol, protocols);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    SSL_CTX_set_max_cert_list(context, hearth_pinned_chain_bytes);
    return SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1
        && SSL_CTX_set1_sigalgs_list(context, "ed25519") == 1
        && SSL_CTX_set1_client_sigalgs_list(context, "ed25519") == 1;
}

/// Makes clients check the server's certificate, under the system's authorities.
static inline int hearth_ssl_ctx_trust_system(SSL_CTX *context) {
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    return SSL_CTX_set_default_verify_paths(context);
}

/// Makes clients check the server's certificate, under a certificate.
static inline int hearth_ssl_ctx_trust(SSL_CTX *context, X509 *certificate) {
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    X509_STORE *store = SSL_CTX_get_cert_store(context);
    // A server's own certificate can be trusted, not only its issuer's.
    return X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN) == 1 && X509_STORE_add_cert(store, certificate) == 1;
}

/// Sets the host that a client expects: a name, or an IP address, which is never sent.
static inline int hearth_ssl_set_host(SSL *connection, const char *host) {
    X509_VERIFY_PARAM *parameters = SSL_get0_param(connection);
    if (X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1) return 1;
    X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return X509_VERIFY_PARAM_set1_host(parameters, host, 0) == 1 && SSL_set_tlsext_host_name(connection, host) == 1;
}

/// Returns the number of certificates that the other side has sent.
static inline int hearth_x509_store_ctx_count(X509_STORE_CTX *context) {
    return sk_X509_num(X509_STORE_CTX_get0_untrusted(context));
}

static inline SSL *hearth_x509_store_ctx_ssl(X509_STORE_CTX *context) {
    return X509_STORE_CTX_get_ex_data(context, SSL_get_ex_data_X509_STORE_CTX_idx());
}

static inline int hearth_ssl_set_data(SSL *connection, void *data) {
    return SSL_set_app_data(connection, data);
}

static inline void *hearth_ssl_data(SSL *connection) {
    return SSL_get_app_data(connection);
}

static inline EVP_PKEY *hearth_ed25519(const unsigned char *seed, size_t count) {
    return EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, count);
}

/// Writes the 32 bytes of an Ed25519 key.
///
/// \return 0 for a key of another kind.
static inline int hearth_ed25519_public(EVP_PKEY *key, unsigned char *bytes) {
    size_t count = 32;
    return key && EVP_PKEY_is_a(key, "ED25519") && EVP_PKEY_get_raw_public_key(key, bytes, &count) == 1 && count == 32;
}

static inline long hearth_ssl_ctx_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate);
}

static inline EVP_PKEY *hearth_generate_p256(void) {
    return EVP_EC_gen("P-256");
}

static inline BIO *hearth_bio_new_memory(void) {
    return BIO_new(BIO_s_mem());
}

/// Makes an empty memory BIO report that it must be retried, not that it has ended.
static inline void hearth_bio_set_open(BIO *bio) {
    BIO_set_mem_eof_return(bio, -1);
}

static inline int hearth_err_reason(unsigned long error) {
    return ERR_GET_REASON(error);
}

/// The settings of an extension that refers to the certificate itself and to its issuer.
static inline void hearth_x509v3_set_certificates(X509V3_CTX *context, X509 *issuer, X509 *subject) {
    X509V3_set_ctx_nodb(context);
    X509V3_set_ctx(context, issuer, subject, NULL, NULL, 0);
}

static inline int hearth_general_name_count(const GENERAL_NAMES *names) {
    return sk_GENERAL_NAME_num(names);
}

static inline const GENERAL_NAME *hearth_general_name(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index);
}

#endif
