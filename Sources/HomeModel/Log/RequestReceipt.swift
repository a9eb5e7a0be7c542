/// That a request was carried out, and with what result: stored together with the entries that it led to, so that the
/// same request, coming again, gets the first reply and changes nothing.
package struct RequestReceipt: Hashable, Sendable {
    /// The request.
    package var request: RequestKey
    /// The SHA-256 digest of what was asked: another request under the same key is not this one.
    package var digest: [UInt8]
    /// The result as it is sent.
    package var reply: [UInt8]

    /// Makes a receipt.
    package init(request: RequestKey, digest: [UInt8], reply: [UInt8]) {
        self.request = request
        self.digest = digest
        self.reply = reply
    }
}
