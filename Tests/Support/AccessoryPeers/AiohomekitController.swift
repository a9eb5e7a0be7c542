public import HAPCatalog
import PeerProcess

/// aiohomekit, in a process of its own, as the controller of one accessory server on 127.0.0.1.
public struct AiohomekitController: Sendable {
    /// What the peer reports: the answer to a command, or an event of the accessory.
    public struct Line: Decodable, Sendable {
        /// `reply`, `error` or `changed`.
        public let event: String
        /// The command that is answered.
        public let command: String?
        /// The class of the exception, if the command failed.
        public let error: String?
        /// What `list` found.
        public let accessories: [Accessory]?
        /// What `read` found, and what `write` and `subscribe` were refused, by `aid.iid`.
        public let results: [String: Outcome]?
        /// What `pairings` found.
        public let pairings: [Pairing]?
        /// What another controller needs that `add-pairing` has added, as JSON.
        public let data: String?
        /// Whether `identify` was done.
        public let done: Bool?
        /// What an event tells, by `aid.iid`.
        public let values: [String: CharacteristicValue?]?
    }

    /// An accessory as the peer understood it.
    public struct Accessory: Decodable, Sendable {
        /// A service as the peer understood it.
        public struct Service: Decodable, Sendable {
            /// The type, as a full UUID.
            public let type: String
            /// The instance id.
            public let iid: UInt64
            /// The characteristics.
            public let characteristics: [Characteristic]
        }

        /// A characteristic as the peer understood it.
        public struct Characteristic: Decodable, Sendable {
            /// The type, as a full UUID.
            public let type: String
            /// The instance id.
            public let iid: UInt64
            /// The permissions.
            public let perms: [String]
        }

        /// The accessory's id.
        public let aid: UInt64
        /// The services.
        public let services: [Service]
    }

    /// What became of one read or write.
    public struct Outcome: Decodable, Hashable, Sendable {
        /// The value.
        public var value: CharacteristicValue?
        /// The status, if it is not 0.
        public var status: Int?

        /// Makes an outcome.
        public init(value: CharacteristicValue? = nil, status: Int? = nil) {
            self.value = value
            self.status = status
        }
    }

    /// A pairing as the peer understood it.
    public struct Pairing: Decodable, Hashable, Sendable {
        /// The controller's identifier.
        public let pairingId: String
        /// 1 for an admin.
        public let permissions: Int
    }

    /// A command that failed.
    public struct Failure: Error {
        /// What the peer reported.
        public let line: Line
    }

    private let process: PeerProcess

    /// Runs the peer for the time of a test.
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

    /// Sends a command with its arguments as JSON members, and waits for the answer.
    @discardableResult
    public func ask(_ command: String, _ arguments: String = "") async throws -> Line {
        try process.send(#"{"command":"\#(command)"\#(arguments.isEmpty ? "" : ",")\#(arguments)}"#)
        let line = try await process.json(Line.self, "the answer to \(command)") { $0.command == command }
        guard line.event == "reply" else { throw Failure(line: line) }
        return line
    }

    /// Pairs.
    public func pair(port: Int, id: String, code: String) async throws {
        try await ask("pair", #""port":\#(port),"id":"\#(id)","code":"\#(code)""#)
    }

    /// Pairs with an accessory made with HAP-python.
    ///
    /// About one attempt in forty ends in an authentication error: HAP-python leaves out leading zero bytes of the
    /// numbers that pair setup hashes, and aiohomekit doesn't. Only such an attempt is made again.
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

    /// So many failures in a row have a chance below 10^-12.
    private static let pairingAttempts = 8

    /// The next event of the accessory.
    public func changes() async throws -> [String: CharacteristicValue?] {
        let line = try await process.json(Line.self, "an event") { $0.event == "changed" }
        return line.values ?? [:]
    }
}
