import Glibc

/// What a server costs that does nothing: it answers every packet with as many bytes as it was told. Runs as a process
/// of its own, as the servers do that are measured.
enum EchoServer {
    /// The argument that makes the program this server; ``Answers`` and the length of an answer follow.
    static let argument = "echo"

    /// Who is answered.
    enum Answers: String {
        /// Whoever sent a packet.
        case each
        /// Every connection.
        case all
    }

    /// Prints its port and serves until its standard input ends.
    static func run(_ answers: Answers, answerLength: Int) throws {
        let listener = try Listener()
        print(#"{"event":"ready","port":\#(listener.port)}"#)
        fflush(nil)
        let answer = [UInt8](repeating: 0, count: answerLength)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var watched = [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
        watched.append(pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0))
        while true {
            poll(&watched, nfds_t(watched.count), -1)
            if watched[0].revents != 0 { return }
            for index in watched.indices.dropFirst(2) where watched[index].revents != 0 {
                guard recv(watched[index].fd, &buffer, buffer.count, 0) > 0 else {
                    close(watched[index].fd)
                    watched[index].fd = -1
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
