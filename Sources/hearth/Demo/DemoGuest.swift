import ArgumentParser
import Foundation
import HomeHub
import HomeIdentity
import HomeModel
import HubAPI
import HubClient

/// A guest of the demo home with a laptop of her own, which is connected as long as the demo runs.
///
/// The laptop is in this process. The hub treats its connection as one from the network: it has the guest's rights and no
/// others.
struct DemoGuest: Sendable {
    /// The guest's name.
    static let name = NSUserName().lowercased() == "ann" ? "Ada" : "Ann"
    /// The name of her laptop.
    static let laptop = "\(name)'s laptop"
    /// The identifier of the app on her laptop.
    private static let app = "hearth.demo.guest"

    private let mirror: HubMirror

    /// Adds the guest to a home and connects her laptop.
    ///
    /// - Parameters:
    ///   - hub: The demo's hub.
    ///   - socket: The hub's socket, for the owner's request.
    init(to hub: HomeHub, socket: String) async throws {
        let client = try await HomeClient(try ClientOptions.parse(["--socket", socket]))
        defer { client.close() }
        let home = try client.home().home.id
        let added = try await client.call(
            HubMethods.addUser,
            AddHomeUser(home: home, name: Self.name, role: .guest)
        )
        guard let user = await hub.account(of: added.id, in: home, to: HubProtocol.commandLineApp) else {
            throw CommandFailure("notFound", "The hub doesn't know its new guest.")
        }
        let entrance = try await Self.connect(to: hub, user: user, device: UUID())
        let key = Data(IdentityKey().publicKey.bytes)
        let laptop = VouchForDevice(name: Self.laptop, kind: "agent", key: key)
        let device = try await entrance.call(HubMethods.vouchForDevice, laptop).id
        entrance.close()
        mirror = try await Self.connect(to: hub, user: user, device: device)
        _ = try await mirror.call(HubMethods.questions, Empty())
    }

    private static func connect(to hub: HomeHub, user: UUID, device: UUID) async throws -> HubMirror {
        let authority = SessionAuthority(user: user, device: device, client: .device, way: .near)
        return try await HubMirror(
            over: InProcessTransport(to: hub, as: authority),
            app: app,
            purpose: "Shows the demo home to a guest."
        )
    }

    /// What the guest's laptop sees, in a sentence.
    var sentence: String {
        let home = mirror.state.homes.values.first
        let count = home?.accessories.count ?? 0
        return
            "\(Self.name), a guest: on \(Self.laptop) she sees \(count) accessories, and can control them but not edit "
            + "the home"
    }

    /// Disconnects her laptop.
    func close() {
        mirror.close()
    }
}
