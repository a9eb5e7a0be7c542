import Foundation

/// The processes that have a UDP port open in this network namespace, according to `/proc`.
struct PortTable {
    /// A socket that is bound to the port.
    private struct Socket {
        var address: String
        var user: uid_t
        var inode: String
    }

    /// The columns of `/proc/net/udp`, counted from 0.
    private enum Column {
        static let localAddress = 1
        static let user = 7
        static let inode = 9
    }

    /// Returns the processes that have the port open. A process that this one may not inspect has no name.
    static func users(of port: UInt16) -> [DiscoveryReport.PortUser] {
        let sockets = ["/proc/net/udp", "/proc/net/udp6"].flatMap { Self.sockets(listedIn: $0, port: port) }
        guard !sockets.isEmpty else { return [] }
        let owners = owners(of: Set(sockets.map(\.inode)))
        var users: [DiscoveryReport.PortUser] = []
        for socket in sockets {
            let id = owners[socket.inode]
            let name = accountName(socket.user)
            if let index = users.firstIndex(where: { $0.id == id && $0.user == name }) {
                if !users[index].addresses.contains(socket.address) { users[index].addresses.append(socket.address) }
            } else {
                let user = DiscoveryReport.PortUser(
                    process: id.flatMap(processName),
                    id: id,
                    user: name,
                    addresses: [socket.address]
                )
                users.append(user)
            }
        }
        return users
    }

    private static func sockets(listedIn path: String, port: UInt16) -> [Socket] {
        let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n").dropFirst() ?? []
        return lines.compactMap { line in
            let columns = line.split(separator: " ")
            guard columns.count > Column.inode, let user = uid_t(columns[Column.user]) else { return nil }
            let local = columns[Column.localAddress].split(separator: ":")
            guard local.count == 2, UInt16(local[1], radix: 16) == port, let address = address(local[0]) else {
                return nil
            }
            return Socket(address: address, user: user, inode: String(columns[Column.inode]))
        }
    }

    /// Parses an address in the kernel's notation: words of four bytes, each in host byte order.
    private static func address(_ digits: Substring) -> String? {
        var words: [UInt32] = []
        var rest = digits
        while !rest.isEmpty {
            guard let word = UInt32(rest.prefix(8), radix: 16) else { return nil }
            words.append(word)
            rest = rest.dropFirst(8)
        }
        let family = words.count == 1 ? AF_INET : AF_INET6
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family, words, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns the processes that hold sockets, by the sockets' inodes.
    private static func owners(of inodes: Set<String>) -> [String: Int32] {
        let files = FileManager.default
        var owners: [String: Int32] = [:]
        for process in ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap(Int32.init).sorted() {
            let folder = "/proc/\(process)/fd"
            for descriptor in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
                guard let target = try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)"),
                    target.hasPrefix("socket:["), target.hasSuffix("]")
                else { continue }
                let inode = String(target.dropFirst("socket:[".count).dropLast())
                if inodes.contains(inode), owners[inode] == nil { owners[inode] = process }
            }
        }
        return owners
    }

    private static func processName(_ id: Int32) -> String? {
        (try? String(contentsOfFile: "/proc/\(id)/comm", encoding: .utf8))?.trimmingCharacters(in: .newlines)
    }

    private static func accountName(_ id: uid_t) -> String {
        getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? "\(id)"
    }
}
