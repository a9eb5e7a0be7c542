/// The limits of messages.
package enum RPCLimits {
    /// The maximum size of a request in bytes.
    package static let requestBytes = 1 << 20
    /// The maximum size in bytes of a message that a client accepts: a snapshot of a very large home fits.
    package static let messageBytes = 1 << 28
}
