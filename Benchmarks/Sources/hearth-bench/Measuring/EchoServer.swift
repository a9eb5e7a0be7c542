import Glibc
import HAP

/// A server that does nothing but answer every packet with a given number of bytes, as a baseline. Runs in a separate
/// process, as the measured servers do.
enum EchoServer {
    /// The argument that runs the program as this server, followed by ``Answers`` and the length of an answer.
    static let argument = "echo"

    /// The recipients of an answer.
    enum Answers: String {
        /// The sender of the packet.
        case each
        /// All connections.
        case all
        /// The sender of the packet, which is decrypted before and whose answer is encrypted: what no accessory server
        /// can do without. There is one connection.
        case sealed
    }

    /// The key of both directions of a sealed connection.
    static let key = FrameKey([UInt8](repeating: 7, count: FrameKey.length))

    /// Prints its port and serves until its standard input ends.
    static func run(_ answers: Answers, answerLength: Int) throws {
        let listener = try Listener()
        print(#"{"event":"ready","port":\#(listener.port)}"#)
        fflush(nil)
        let answer = [UInt8](repeating: 0, count: answerLength)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var watched = [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
        watched.append(pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0))
        guard let key else { throw BenchFailure("no key") }
        var (opener, sealer) = (FrameOpener(key: key), FrameSealer(key: key))
        while true {
            poll(&watched, nfds_t(watched.count), -1)
            if watched[0].revents != 0 { return }
            for index in watched.indices.dropFirst(2) where watched[index].revents != 0 {
                let count = recv(watched[index].fd, &buffer, buffer.count, 0)
                guard count > 0 else {
                    close(watched[index].fd)
                    watched[index].fd = -1
                    continue
                }
                if answers == .sealed {
                    _ = try opener.open(buffer[..<count])
                    let sealed = try sealer.seal(answer)
                    _ = send(watched[index].fd, sealed, sealed.count, Int32(MSG_NOSIGNAL))
                    continue
                }
                for answered in answers == .each ? watched[index...index] : watched[2...] where answered.fd >= 0 {
                    _ = send(answered.fd, answer, answer.count, Int32(MSG_NOSIGNAL))
                }
            }
            if watched[1].revents != 0 {
                let connection = accept(listener.descriptor, nil, nil)
                watched.append(pollfd(fd: connection, events: Int16(POLLIN), revents: 0))
            }
        }
    }
}
