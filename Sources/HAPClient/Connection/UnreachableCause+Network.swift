internal import NIOCore
internal import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension UnreachableCause {
    /// Creates a cause from an error of the network layer.
    init(_ error: any Error) {
        switch error {
        case let cause as UnreachableCause:
            self = cause
        case let error as IOError:
            self.init(errorNumber: error.errnoCode, description: error.description)
        case ChannelError.connectTimeout:
            self = .timedOut
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first {
                self.init(first.error)
            } else {
                self = .noRoute("no address is known for \(error.host)")
            }
        default:
            self = .connectionLost
        }
    }

    private init(errorNumber: CInt, description: String) {
        switch errorNumber {
        case ECONNREFUSED: self = .refused
        case ETIMEDOUT: self = .timedOut
        case ECONNRESET, EPIPE, ENOTCONN, ECONNABORTED: self = .connectionLost
        default: self = .noRoute(description)
        }
    }
}
