internal import HAP
internal import HAPCatalog

extension Check {
    private static let source = "HAP 6.5.2 (Session Security)"

    /// Bytes in place of a frame with a read and one with a write.
    private struct Forgery: Sendable {
        let name: String
        /// The number of responses before the connection ends.
        let responses: Int
        let bytes: @Sendable (_ read: [UInt8], _ write: [UInt8]) -> [UInt8]

        init(
            _ name: String,
            responses: Int = 0,
            bytes: @escaping @Sendable (_ read: [UInt8], _ write: [UInt8]) -> [UInt8]
        ) {
            self.name = name
            self.responses = responses
            self.bytes = bytes
        }
    }

    private static let forgeries = [
        Forgery("an altered tag") { _, write in write.dropLast() + [write[write.count - 1] ^ 1] },
        Forgery("an altered byte") { _, write in write.prefix(9) + [write[9] ^ 1] + write.dropFirst(10) },
        Forgery("another length") { _, write in [write[0] &- 1] + write.dropFirst() },
        Forgery("a repeated frame", responses: 1) { read, write in read + read + write },
        Forgery("swapped frames") { read, write in write + read },
        Forgery("a missing frame") { _, write in write },
    ]

    /// Attacks on the framing of a session.
    static let frameAttacks: [Check] = [
        attack(
            "frame-lengths",
            .pairedAttack,
            "A frame without content, or with more than 1024 bytes, ends the connection.",
            source
        ) { context in
            for length in [0, 1025, 2048, 0x8000, 0xFFFF] {
                let connection = try await context.newSession()
                let header = [UInt8(truncatingIfNeeded: length), UInt8(length >> 8)]
                try await connection.sendPlain(header + [UInt8](repeating: 0, count: length + 16))
                try await context.expectEnd(connection, "A frame with the length \(length)")
            }
        },
        attack(
            "frame-forgeries",
            .pairedAttack,
            "Frames that are altered, repeated, swapped or left out end the connection, and no write in them is served.",
            source
        ) { context in
            let write = try await context.attackWrite().encoded()
            let read = HTTPRequest(.get, "/characteristics?id=1.1", host: context.target.host).encoded()
            for forgery in forgeries {
                let connection = try await context.newSession()
                let frames = (try connection.sealed(read), try connection.sealed(write))
                try await connection.sendPlain(forgery.bytes(frames.0, frames.1))
                try await context.expectEnd(connection, after: forgery.responses, "Frames with \(forgery.name)")
            }
        },
        attack(
            "frame-session",
            .pairedAttack,
            "A frame of another session, or a request in the clear, ends the connection and isn't served.",
            source
        ) { context in
            let write = try await context.attackWrite().encoded()
            let first = try await context.newSession()
            let frame = try first.sealed(write)
            for (name, bytes) in [("A frame of another session", frame), ("A write in the clear", write)] {
                let connection = try await context.newSession()
                try await connection.sendPlain(bytes)
                try await context.expectEnd(connection, name)
            }
        },
    ]
}
