import Foundation
import HomeModel
import HubAPI
import HubClient
import LocalRPCSockets

/// A command's connection to the hub.
final class HomeClient: Sendable {
    // This is a class because a connection has an identity.

    /// The hub's events from the start of the connection. The stream ends with the connection.
    let events: AsyncStream<HubEvent>
    private let continuation: AsyncStream<HubEvent>.Continuation
    private let mirror: HubMirror
    private let options: ClientOptions

    /// Connects to the hub that the options name.
    ///
    /// - Throws: ``HubError`` with `noHub` if none answers, or `versionMismatch` if it is too old or too new.
    init(_ options: ClientOptions) async throws(HubError) {
        self.options = options
        let (events, continuation) = AsyncStream.makeStream(of: HubEvent.self)
        self.events = events
        self.continuation = continuation
        let notice = Self.notice(waitingFor: "the hub")
        defer { notice.cancel() }
        mirror = try await HubMirror(
            over: UnixSocketTransport(path: options.socket ?? HubSocketPath.standard()),
            app: HubProtocol.commandLineApp,
            purpose: "The command line.",
            onEvent: { continuation.yield($0) },
            onClose: { continuation.finish() }
        )
        for notice in mirror.welcome.notices ?? [] { ProgramOutput.note(notice) }
    }

    /// The latest state that the hub has sent.
    var view: HubState { mirror.state }
    /// The hub's introduction.
    var welcome: Welcome { mirror.welcome }

    /// Calls a method of the hub. On a terminal, prints a notice if the call takes longer than a second.
    ///
    /// - Parameter what: What the notice names; `nil` for no notice.
    func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters,
        waitingFor what: String? = "the hub"
    ) async throws(HubError) -> Result {
        let notice = what.map { Self.notice(waitingFor: $0) }
        defer { notice?.cancel() }
        return try await mirror.call(method, parameters)
    }

    private static func notice(waitingFor what: String) -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: .seconds(1))
            guard isatty(STDERR_FILENO) == 1 else { return }
            ProgramOutput.note("Waiting for \(what) …")
        }
    }

    /// Ends ``events``. The connection stays open.
    func stopEvents() {
        continuation.finish()
    }

    /// Ends the connection, and with it ``events``.
    func close() {
        mirror.close()
    }

    /// Returns the home that the options name, or the primary home.
    func home() throws(CommandFailure) -> NamedHome {
        try checkHub()
        return try view.home(named: options.home)
    }

    /// Returns the user's home with a name or ID.
    func home(named name: String) throws(CommandFailure) -> NamedHome {
        try checkHub()
        return try view.home(named: name)
    }

    /// Checks that there is a hub: an agent that has joined none can do nothing else.
    func checkHub() throws(CommandFailure) {
        guard welcome.hasNoHub == true else { return }
        throw CommandFailure("notFound", Self.noHub)
    }

    /// What to do on a device that has joined no hub.
    static let noHub = "This device belongs to no home yet. Join one with: hearth join CODE"
}

extension HubState {
    /// Returns the user's home with a name or ID; without one, the primary home.
    func home(named name: String?) throws(CommandFailure) -> NamedHome {
        guard let name else {
            guard let record = account.primaryHome ?? account.homes.first, let home = homes[record.id] else {
                throw CommandFailure("notFound", "No home exists. Add one with: hearth home add NAME")
            }
            return NamedHome(name: record.name, home: home)
        }
        let record = try NameLookup("home", account.homes.map { ($0.name, $0.id, $0) }).find(name)
        guard let home = homes[record.id] else {
            throw CommandFailure("notFound", "The hub doesn't provide “\(record.name)”.")
        }
        return NamedHome(name: record.name, home: home)
    }
}
