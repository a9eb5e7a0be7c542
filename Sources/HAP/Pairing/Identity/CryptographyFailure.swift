/// The cryptographic library refused work that it should be able to do. No input causes it.
public struct CryptographyFailure: Error, Hashable, Sendable {
    init() {}
}
