import NetworkLab
import PeerProcess

/// An implementation of multicast DNS on a host of a lab that advertises and browses.
protocol Peer: Sendable {
    /// Advertises a service and waits until it is established.
    ///
    /// - Returns: The name that the service got.
    func publish(_ name: String, _ type: String, port: UInt16, txt: [String: String]) async throws -> String

    /// Replaces the TXT record of one of its services.
    func update(_ name: String, txt: [String: String]) async throws

    /// Ends one of its services.
    func withdraw(_ name: String) async throws

    /// Waits until a service is known in the given state.
    @discardableResult
    func sees(
        _ name: String,
        _ type: String,
        where accepts: @escaping @Sendable (BrowseResult) -> Bool
    ) async throws -> BrowseResult

    /// Waits until a service is gone.
    func misses(_ name: String, _ type: String) async throws
}

extension Peer {
    func publish(_ name: String, port: UInt16 = 4242, txt: [String: String] = Lamp.txt) async throws -> String {
        try await publish(name, Lamp.type, port: port, txt: txt)
    }

    @discardableResult
    func sees(
        _ name: String,
        where accepts: @escaping @Sendable (BrowseResult) -> Bool = { _ in true }
    ) async throws -> BrowseResult {
        try await sees(name, Lamp.type, where: accepts)
    }

    func misses(_ name: String) async throws {
        try await misses(name, Lamp.type)
    }
}

/// The service that most tests advertise.
enum Lamp {
    static let type = "_hap._tcp"
    static let txt = ["c#": "1", "id": "AA:BB:CC:DD:EE:FF", "md": "Lamp 1,1", "sf": "1"]
}

/// A service that a peer has found.
struct BrowseResult: Hashable, Sendable {
    var host: String
    var port: UInt16
    var addresses: Set<String>
    var txt: [String: String]

    /// The addresses, without the zones of link-local ones, which depend on the host.
    var plainAddresses: Set<String> {
        Set(addresses.map { String($0.prefix { $0 != "%" }) })
    }
}

/// The implementations to test Hearth with, and Hearth itself.
enum PeerKind: String, CaseIterable, Sendable {
    case zeroconf = "python-zeroconf"
    case avahi = "Avahi"
    case hearth = "Hearth"

    /// Starts an implementation on a host and waits until it is ready.
    func start(on host: LabHost) async throws -> any Peer {
        switch self {
        case .zeroconf: try await ZeroconfHost.start(on: host)
        case .avahi: try await AvahiHost.start(on: host)
        case .hearth: try await OurHost.start(on: host)
        }
    }
}
