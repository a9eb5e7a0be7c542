/// An unexpected error of the cryptographic library, such as a lack of memory. No input causes it.
public struct CryptographyFailure: Error, Hashable, Sendable {
    init() {}
}
