public import HAPCatalog
import PeerProcess

/// aiohomekit, in a separate process, as the controller of one accessory server on 127.0.0.1.
public struct AiohomekitController: Sendable {
    /// A report of the peer: the reply to a command, or an event of the accessory.
    public struct Line: Decodable, Sendable {
        /// `reply`, `error` or `changed`.
        public let event: String
        /// The command of the reply.
        public let command: String?
        /// The class of the exception, if the command failed.
        public let error: String?
        /// The result of `list`.
        public let accessories: [Accessory]?
        /// The results of `read`, and the errors of `write` and `subscribe`, by `aid.iid`.
        public let results: [String: Outcome]?
        /// The result of `pairings`.
        public let pairings: [Pairing]?
        /// The pairing data, as JSON, for another controller that `add-pairing` has added.
        public let data: String?
        /// Whether `identify` succeeded.
        public let done: Bool?
        /// The values of an event, by `aid.iid`.
        public let values: [String: CharacteristicValue?]?
    }

    /// An accessory as decoded by the peer.
    public struct Accessory: Decodable, Sendable {
        /// A service as decoded by the peer.
        public struct Service: Decodable, Sendable {
            /// The type, as a full UUID.
            public let type: String
            /// The instance ID.
            public let iid: UInt64
            /// The characteristics.
            public let characteristics: [Characteristic]
        }

        /// A characteristic as decoded by the peer.
        public struct Characteristic: Decodable, Sendable {
            /// The type, as a full UUID.
            public let type: String
            /// The instance ID.
            public let iid: UInt64
            /// The permissions.
            public let perms: [String]
        }

        /// The accessory's ID.
        public let aid: UInt64
        /// The services.
        public let services: [Service]
    }

    /// The result of a read or a write.
    public struct Outcome: Decodable, Hashable, Sendable {
        /// The value.
        public var value: CharacteristicValue?
        /// The status, if it is not 0.
        public var status: Int?

        /// Creates a result.
        public init(value: CharacteristicValue? = nil, status: Int? = nil) {
            self.value = value
            self.status = status
        }
    }

    /// A pairing as decoded by the peer.
    public struct Pairing: Decodable, Hashable, Sendable {
        /// The controller's ID.
        public let pairingId: String
        /// 1 for an admin.
        public let permissions: Int
    }

    /// A command that failed.
    public struct Failure: Error {
        /// The error that the peer reported.
        public let line: Line
    }

    private let process: PeerProcess

    /// Runs the peer for the duration of a test.
    public static func run(_ body: (AiohomekitController) async throws -> Void) async throws {
        let process = try PeerPython.start("aiohomekit_controller.py")
        do {
            try await body(AiohomekitController(process: process))
            await process.terminate()
        } catch {
            await process.terminate()
            throw error
        }
    }

    /// Sends a command with its arguments as JSON members, and waits for the reply.
    @discardableResult
    public func ask(_ command: String, _ arguments: String = "") async throws -> Line {
        try process.send(#"{"command":"\#(command)"\#(arguments.isEmpty ? "" : ",")\#(arguments)}"#)
        let line = try await process.json(Line.self, "the answer to \(command)") { $0.command == command }
        guard line.event == "reply" else { throw Failure(line: line) }
        return line
    }

    /// Pairs with the accessory.
    public func pair(port: Int, id: String, code: String) async throws {
        try await ask("pair", #""port":\#(port),"id":"\#(id)","code":"\#(code)""#)
    }

    /// Pairs with an accessory that uses HAP-python.
    ///
    /// About one attempt in forty ends in an authentication error: HAP-python leaves out leading zero bytes of the
    /// numbers that pair setup hashes, and aiohomekit doesn't. Only such an attempt is repeated.
    public func pairWithHAPPython(port: Int, id: String, code: String) async throws {
        for _ in 1..<Self.pairingAttempts {
            do {
                return try await pair(port: port, id: id, code: code)
            } catch let failure as Failure where failure.line.error == "AuthenticationError" {
                continue
            }
        }
        try await pair(port: port, id: id, code: code)
    }

    /// The probability of this many failures in a row is below 10^-12.
    private static let pairingAttempts = 8

    /// Waits for the next event of the accessory.
    public func changes() async throws -> [String: CharacteristicValue?] {
        let line = try await process.json(Line.self, "an event") { $0.event == "changed" }
        return line.values ?? [:]
    }
}
