#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@testable import HAPClient

/// A port on 127.0.0.1 that is reserved but refuses connections. It is a class, so that the port is released when it is
/// deinitialized.
final class RefusingAddress: Sendable {
    let address: AccessoryAddress
    private let descriptor: Int32

    init() {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &name) { name in
            name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                _ = bind(descriptor, name, length)
                _ = getsockname(descriptor, name, &length)
            }
        }
        self.descriptor = descriptor
        address = AccessoryAddress(host: "127.0.0.1", port: Int(UInt16(bigEndian: name.sin_port)))
    }

    deinit {
        close(descriptor)
    }
}
