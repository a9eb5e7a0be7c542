import ArgumentParser
import FolderAccess
import Foundation
import Relay
import RelayAPI

/// Where a relay keeps its data.
struct RelayFolderOptions: ParsableArguments {
    /// A folder that this process has for itself.
    struct Opened {
        var folder: PrivateFolder
        var lock: FolderLock
    }

    @Option(
        help: ArgumentHelp(
            "The data folder, created if needed (default: $XDG_STATE_HOME/hearth-relay, for root /var/lib/hearth-relay).",
            valueName: "dir"
        ),
        completion: .directory
    )
    var data: String?

    /// Opens and locks the folder.
    func open() throws -> Opened {
        let folder = try privateFolder()
        do throws(FolderError) {
            return Opened(folder: folder, lock: try folder.lock(for: "A relay"))
        } catch {
            let reason = "\(error.description) Stop it, or choose another folder with --data."
            throw CommandFailure(error.isLocked ? "alreadyRunning" : "storeFailure", reason)
        }
    }

    /// Opens the folder, which another process may have.
    func privateFolder() throws -> PrivateFolder {
        let location = data.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? StandardFolder.relayData()
        do throws(FolderError) {
            return try PrivateFolder(at: location, holding: "the relay's database")
        } catch {
            throw CommandFailure("storeFailure", error.description)
        }
    }

    /// Opens the store of a folder.
    static func store(
        in folder: PrivateFolder,
        onCommit: @escaping @Sendable (Int) -> Void = { _ in }
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
