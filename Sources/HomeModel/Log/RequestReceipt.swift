/// The record of a request and its reply. It is stored together with the request's entries, so that a retry gets the
/// first reply and changes nothing.
package struct RequestReceipt: Hashable, Sendable {
    /// The request.
    package var request: RequestKey
    /// The SHA-256 digest of the request. A different request with the same key is not a retry.
    package var digest: [UInt8]
    /// The result as it is sent.
    package var reply: [UInt8]

    /// Creates a receipt.
    package init(request: RequestKey, digest: [UInt8], reply: [UInt8]) {
        self.request = request
        self.digest = digest
        self.reply = reply
    }
}
