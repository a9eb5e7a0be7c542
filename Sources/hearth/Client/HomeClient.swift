import Foundation
import HomeModel
import HubAPI
import HubClient
import LocalRPCSockets
import Synchronization

/// A command's connection to the hub, with a copy of the homes' state that the hub keeps current.
final class HomeClient: Sendable {
    // This is a class because a connection has an identity.

    /// The hub's events since the connection opened. The stream ends when the connection closes.
    let events: AsyncStream<HubEvent>
    private let connection: HubConnection
    private let state: Holder
    private let options: ClientOptions

    private final class Holder: Sendable {
        let view = Mutex(HubState())
    }

    /// Connects to the hub that the options name.
    ///
    /// - Throws: `noHub` if no hub answers, or `versionMismatch` if the hub is too old or too new.
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

    /// The latest state that the hub has sent.
    var view: HubState { state.view.withLock { $0 } }

    /// Calls a method of the hub. On a terminal, prints a notice if the call takes longer than a second.
    func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters,
        waitingFor subject: String = "the hub"
    ) async throws(HubError) -> Result {
        let notice = Task {
            try await Task.sleep(for: .seconds(1))
            guard isatty(STDERR_FILENO) == 1 else { return }
            ProgramOutput.note("Waiting for \(subject) …")
        }
        defer { notice.cancel() }
        return try await connection.call(method, parameters)
    }

    /// Closes the connection, which ends ``events``.
    func close() {
        connection.close()
    }

    /// Returns the home that the options name, or the primary home.
    func home() throws(CommandFailure) -> NamedHome {
        if let wanted = options.home { return try home(named: wanted) }
        let view = view
        guard let record = view.account.primaryHome ?? view.account.homes.first, let home = view.homes[record.id] else {
            throw CommandFailure("notFound", "No home exists. Add one with: hearth home add NAME")
        }
        return NamedHome(name: record.name, home: home)
    }

    /// Returns the user's home with a name or ID.
    func home(named name: String) throws(CommandFailure) -> NamedHome {
        let view = view
        let record = try NameLookup("home", view.account.homes.map { ($0.name, $0.id, $0) }).find(name)
        guard let home = view.homes[record.id] else {
            throw CommandFailure("notFound", "The hub doesn't provide “\(record.name)”.")
        }
        return NamedHome(name: record.name, home: home)
    }
}
