internal import COpenSSL

/// Calls `body` with a BIO that reads bytes.
func withMemoryBIO<Value>(
    _ bytes: [UInt8],
    _ body: (OpaquePointer) throws(TLSError) -> Value
) throws(TLSError) -> Value {
    guard let count = Int32(exactly: bytes.count), let bio = hearth_bio_new_memory() else {
        throw TLSError("The text is too long")
    }
    defer { BIO_free(bio) }
    guard bytes.isEmpty || BIO_write(bio, bytes, count) == count else { throw .openSSL("Memory is short") }
    return try body(bio)
}

/// Returns what `body` writes to a BIO.
///
/// - Parameter body: A closure that returns whether it succeeded.
func bytesWritten(_ body: (OpaquePointer) -> Bool) throws(TLSError) -> [UInt8] {
    guard let bio = hearth_bio_new_memory() else { throw .openSSL("Memory is short") }
    defer { BIO_free(bio) }
    guard body(bio) else { throw .openSSL("A certificate or key can't be written") }
    let count = BIO_ctrl_pending(bio)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        initialized = max(0, Int(BIO_read(bio, buffer.baseAddress, Int32(count))))
    }
}
