import Foundation
import HomeModel
import HubAPI
import HubClient
import Synchronization

/// A command's connection to the hub, with the picture of the homes that the hub keeps up to date.
final class HomeClient: Sendable {
    // A class, because a connection has an identity.

    /// What the hub tells, from the connection's beginning on; it ends with the connection.
    let events: AsyncStream<HubEvent>
    private let connection: HubConnection
    private let state: Holder
    private let options: ClientOptions

    private final class Holder: Sendable {
        let view = Mutex(HubState())
    }

    /// Connects to the hub that the options name.
    ///
    /// - Throws: `noHub` when none answers, `versionMismatch` when it is too old or too new.
    init(_ options: ClientOptions) async throws(HubError) {
        self.options = options
        let (events, continuation) = AsyncStream.makeStream(of: HubEvent.self)
        let state = Holder()
        self.events = events
        self.state = state
        let transport = UnixSocketTransport(path: options.socket ?? HubSocketPath.standard())
        connection = HubConnection(over: transport) { event in
            state.view.withLock { $0.apply(event) }
            continuation.yield(event)
        } onClose: { _ in
            continuation.finish()
        }
        let welcome = try await call(HubMethods.hello, Hello(app: "hearth", purpose: "The command line."))
        if let mismatch = welcome.mismatch { throw mismatch }
    }

    /// The homes as the hub last told them.
    var view: HubState { state.view.withLock { $0 } }

    /// Calls a method of the hub. On a terminal, what takes longer than a second says that it is still going on.
    func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters,
        waitingFor what: String = "the hub"
    ) async throws(HubError) -> Result {
        let patience = Task {
            try await Task.sleep(for: .seconds(1))
            guard isatty(STDERR_FILENO) == 1 else { return }
            ProgramOutput.note("Waiting for \(what) …")
        }
        defer { patience.cancel() }
        return try await connection.call(method, parameters)
    }

    /// Ends the connection, and with it ``events``.
    func close() {
        connection.close()
    }

    /// The home that the options name, or the primary one, with its name.
    func home() throws(CommandFailure) -> NamedHome {
        if let wanted = options.home { return try home(named: wanted) }
        let view = view
        guard let record = view.account.primaryHome ?? view.account.homes.first, let home = view.homes[record.id] else {
            throw CommandFailure("notFound", "There is no home yet. Add one with: hearth home add NAME")
        }
        return NamedHome(name: record.name, home: home)
    }

    /// One of the user's homes.
    func home(named name: String) throws(CommandFailure) -> NamedHome {
        let view = view
        let record = try NameLookup("home", view.account.homes.map { ($0.name, $0.id, $0) }).find(name)
        guard let home = view.homes[record.id] else {
            throw CommandFailure("notFound", "The hub does not show “\(record.name)”.")
        }
        return NamedHome(name: record.name, home: home)
    }
}
