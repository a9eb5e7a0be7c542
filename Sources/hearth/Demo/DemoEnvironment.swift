import AccessorySimulator
import DNSSD
import Foundation
import HAP
import HomeHub
import HubAPI
import HubClient
import HubServer
import LocalRPCSockets
import Logging
import MediaRouting
import WebServer

/// The running parts of the demo: a simulator with the home's accessories, and a hub with a socket.
///
/// They run in one process but share nothing else: the hub finds the accessories by mDNS on the loopback interface and
/// controls them over HAP.
struct DemoEnvironment: Sendable {
    /// The address of the only interface that the demo uses.
    static let interface = "127.0.0.1"

    /// The path of the hub's socket.
    let socket: String
    /// The simulated accessories, not yet paired.
    let accessories: [RunningAccessory]
    /// Answers the hub's questions for setup codes.
    let labels: SetupCodeResponder
    private let folder: URL
    private let simulator: Simulator
    private let hub: HomeHub
    private let listener: UnixSocketListener
    private let page: HTTPListener?
    /// What the page shows as playing, if pages are served.
    private let radio: DemoRadio?
    /// The page of the accessories, if pages are served.
    let simulatorPage: ControlListener?

    /// Starts everything in a temporary folder, which ``tearDown()`` removes.
    ///
    /// - Parameter http: The address of the page; `nil` to serve none.
    static func build(
        _ home: DemoHome,
        files: URL,
        http: HTTPAddress?,
        log: Logger
    ) async throws -> DemoEnvironment {
        let folder = try makeFolder()
        do {
            let simulator = try Simulator(
                SimulatorConfiguration(
                    files: home.files.map { files.appending(path: $0).path },
                    dataFolder: folder.appending(path: "simulator").path,
                    bindAddress: interface,
                    interfaces: [interface]
                )
            )
            let accessories = try await simulator.start()
            do {
                // The demo's own file, so that the user's choice for other apps stays as it is.
                let route = RouteFile(path: folder.appending(path: "route.json").path)
                let hub = try await HomeHub(
                    HubConfiguration(
                        data: folder.appending(path: "hub"),
                        interfaces: [InterfaceSelector(interface)],
                        route: route,
                        log: log
                    )
                )
                let socket = folder.appending(path: "hub.sock").path
                let owner = SessionAuthority(user: hub.owner.user, device: hub.owner.device, client: .person)
                let listener = try await UnixSocketListener.start(
                    path: socket,
                    of: "hub",
                    acceptor: HubAcceptor(hub, as: owner),
                    logger: log
                )
                var page: HTTPListener?
                if let http {
                    page = try await HTTPListener.start(
                        at: http,
                        of: hub,
                        security: .none,
                        assistants: AssistantTools.service,
                        logger: log
                    )
                }
                // It stands beside the home's page, on a port of its own.
                var simulatorPage: ControlListener?
                if page != nil, let address = HTTPAddress("\(interface):0") {
                    let backend = SimulatorBackend(simulator: simulator)
                    simulatorPage = try await ControlListener.start(
                        at: address,
                        index: "simulator.html",
                        backend: backend,
                        logger: log
                    )
                }
                let radio = page == nil ? nil : try await DemoRadio(route)
                let labels = try await SetupCodeResponder(socket: socket, accessories: accessories)
                return DemoEnvironment(
                    socket: socket,
                    accessories: accessories,
                    labels: labels,
                    folder: folder,
                    simulator: simulator,
                    hub: hub,
                    listener: listener,
                    page: page,
                    radio: radio,
                    simulatorPage: simulatorPage
                )
            } catch {
                await simulator.stop()
                throw error
            }
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    /// Creates a code to sign in with; `nil` if there is no page.
    func createLogin() async -> LoginCode? {
        page == nil ? nil : await hub.createLogin()
    }

    /// Adds a guest with a device of her own.
    func addGuest() async throws -> DemoGuest {
        try await DemoGuest(to: hub, socket: socket)
    }

    /// Stops everything and removes the temporary folder.
    func tearDown() async {
        labels.close()
        await radio?.stop()
        await page?.stop()
        await simulatorPage?.stop()
        await listener.stop()
        await hub.stop()
        await simulator.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Creates a folder that only this user can access, in the runtime folder if there is one, otherwise in the cache.
    private static func makeFolder() throws(CommandFailure) -> URL {
        let parent: URL
        if let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"], !runtime.isEmpty {
            parent = URL(filePath: runtime, directoryHint: .isDirectory)
        } else if geteuid() == 0 {
            parent = URL(filePath: "/run", directoryHint: .isDirectory)
        } else {
            parent = FileManager.default.homeDirectoryForCurrentUser.appending(path: ".cache")
        }
        let shared = parent.appending(path: "hearth")
        removeAbandonedFolders(in: shared)
        let folder = shared.appending(path: "\(folderPrefix)\(ProcessInfo.processInfo.processIdentifier)")
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw CommandFailure("unwritableFolder", "\(folder.path) can't be created: \(error.localizedDescription)")
        }
        return folder
    }

    private static let folderPrefix = "demo-"

    /// Removes the folders of demos that were killed.
    private static func removeAbandonedFolders(in shared: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: shared.path)) ?? []
        for name in names where name.hasPrefix(folderPrefix) {
            guard let process = pid_t(name.dropFirst(folderPrefix.count)), kill(process, 0) != 0, errno == ESRCH
            else { continue }
            try? FileManager.default.removeItem(at: shared.appending(path: name))
        }
    }
}
