import ArgumentParser
import FolderAccess
import Foundation
import Relay
import RelayAPI
import RelayPostgres

/// Where a relay keeps its data: in a folder, or in PostgreSQL.
struct RelayStoreOptions: ParsableArguments {
    /// A store, with what else was opened for it.
    struct Opened {
        var store: any RelayStore
        /// Where processes that share the store find each other; `nil` for a folder, which one process has for itself.
        var directory: (any ProcessDirectory)?
        /// Where the data is, without secrets.
        var place: String
        fileprivate var lock: FolderLock?

        /// Closes the store.
        func close() async {
            await store.close()
            lock?.release()
        }
    }

    @Option(
        help: ArgumentHelp(
            "The data folder, created if needed (default: $XDG_STATE_HOME/hearth-relay, for root /var/lib/hearth-relay).",
            valueName: "dir"
        ),
        completion: .directory
    )
    var data: String?

    @Option(
        help: ArgumentHelp(
            "Keep the data in PostgreSQL instead, such as postgres://db.example.org/relay. Several relays can share it.",
            valueName: "url"
        )
    )
    var postgres: String?

    func validate() throws {
        guard data == nil || postgres == nil else { throw ValidationError("Use --data or --postgres.") }
    }

    /// Opens the store to serve it. A folder is locked.
    func open(
        connections: Int = RelayPostgres.defaultConnections,
        onCommit: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> Opened {
        if let postgres { return try await open(postgres, connections, onCommit) }
        let folder = try privateFolder()
        let lock: FolderLock
        do throws(FolderError) {
            lock = try folder.lock(for: "A relay")
        } catch {
            let reason = "\(error.description) Stop it, or choose another folder with --data."
            throw CommandFailure(error.isLocked ? "alreadyRunning" : "storeFailure", reason)
        }
        do {
            let store = try Self.store(in: folder, onCommit: onCommit)
            return Opened(store: store, directory: nil, place: folder.path, lock: lock)
        } catch {
            lock.release()
            throw error
        }
    }

    /// Opens the store for a change beside the relay that serves it: SQLite keeps two writers apart, and one short write
    /// disturbs nobody.
    func openBeside() async throws -> Opened {
        if let postgres { return try await open(postgres, 1) { _ in } }
        let folder = try privateFolder()
        return Opened(store: try Self.store(in: folder) { _ in }, directory: nil, place: folder.path)
    }

    private func open(
        _ url: String,
        _ connections: Int,
        _ onCommit: @escaping @Sendable (Int) -> Void
    ) async throws -> Opened {
        do throws(RelayStoreError) {
            let store = try await RelayPostgres.open(url, connections: connections, onCommit: onCommit)
            return Opened(store: store, directory: store, place: store.place)
        } catch {
            throw CommandFailure("storeFailure", error.reason)
        }
    }

    private func privateFolder() throws -> PrivateFolder {
        let location = data.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? StandardFolder.relayData()
        do throws(FolderError) {
            return try PrivateFolder(at: location, holding: "the relay's database")
        } catch {
            throw CommandFailure("storeFailure", error.description)
        }
    }

    private static func store(
        in folder: PrivateFolder,
        onCommit: @escaping @Sendable (Int) -> Void
    ) throws -> RelaySQLite {
        do throws(RelayStoreError) {
            return try RelaySQLite(in: folder.directory, onCommit: onCommit)
        } catch {
            throw CommandFailure("storeFailure", error.reason)
        }
    }
}

extension RelayStoreError {
    /// What is wrong, for the relay's operator.
    var reason: String {
        switch self {
        case .full(let reason), .failure(let reason), .quotaExceeded(let reason): reason
        case .notFound, .registrationRefused, .outdated, .closed: answer.reason
        }
    }
}
