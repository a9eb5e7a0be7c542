package import FolderAccess
package import Foundation
import Glibc
package import HubAPI
import LocalRPC
import LocalRPCSockets

/// An agent's data folder: keys, copies and decisions. Nobody but its owner may have access to it.
package struct AgentFolder: Sendable {
    private enum Name {
        static let settings = "agent.json"
        static let hubs = "hubs"
        static let hub = "hub.json"
        static let copy = "copy.sqlite"
        static let feed = "feed.json"
        static let sessions = "sessions"
        static let commands = "commands.json"
    }

    private static let fileMode: mode_t = 0o600

    private let directory: URL

    /// Creates the folder if it doesn't exist, and checks that it is its owner's alone.
    package init(at directory: URL) throws(HubError) {
        self.directory = directory.standardizedFileURL
        try Self.prepare(self.directory.path)
        try Self.prepare(self.directory.appending(path: Name.hubs).path)
    }

    /// The folder's path.
    package var path: String { directory.path }

    @discardableResult
    private static func prepare(_ path: String) throws(HubError) -> PrivateFolder {
        do throws(FolderError) {
            return try PrivateFolder(at: URL(filePath: path), holding: "this device's keys")
        } catch {
            throw HubError(.storeFailure, error.description)
        }
    }

    /// Locks the folder for one agent.
    ///
    /// - Throws: ``HubError`` with `alreadyRunning` if another agent has it.
    package func lock() throws(HubError) -> FolderLock {
        let folder = try Self.prepare(directory.path)
        do throws(FolderError) {
            return try folder.lock(for: "An agent")
        } catch {
            throw HubError(error.isLocked ? .alreadyRunning : .storeFailure, error.description)
        }
    }

    // MARK: Settings

    /// Returns the device's own settings. New ones are stored at once, because the lineage of the list of homes must last.
    func settings() throws(HubError) -> AgentSettings {
        if let settings = try read(AgentSettings.self, directory.appending(path: Name.settings)) { return settings }
        let settings = AgentSettings()
        try store(settings)
        return settings
    }

    /// Stores the device's own settings.
    func store(_ settings: AgentSettings) throws(HubError) {
        try write(settings, directory.appending(path: Name.settings))
    }

    // MARK: Sessions

    /// Returns the connections to hubs that did the work of sessions. Lines that can't be read are skipped: a retry is then
    /// no worse off than without the file.
    func rememberedSessions() -> [RememberedSessions.Entry] {
        let file = directory.appending(path: Name.sessions)
        guard let text = try? Data(contentsOf: file) else { return [] }
        let decoder = JSONDecoder()
        return text.split(separator: UInt8(ascii: "\n")).compactMap {
            try? decoder.decode(RememberedSessions.Entry.self, from: $0)
        }
    }

    /// Adds a connection to the file. It isn't flushed to the disk: apps don't outlive the machine's crash either.
    func append(_ entry: RememberedSessions.Entry) throws(HubError) {
        let path = directory.appending(path: Name.sessions).path
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, Self.fileMode)
        guard descriptor >= 0 else {
            throw HubError(.storeFailure, "\(path) can't be written: \(String(cString: strerror(errno))).")
        }
        defer { close(descriptor) }
        guard var line = try? JSONEncoder().encode(entry) else { return }
        line.append(UInt8(ascii: "\n"))
        _ = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Replaces the file's connections.
    func store(_ entries: [RememberedSessions.Entry]) throws(HubError) {
        let encoder = JSONEncoder()
        let lines = entries.compactMap { try? encoder.encode($0) }.map { $0 + [UInt8(ascii: "\n")] }
        try write(Data(lines.joined()), directory.appending(path: Name.sessions))
    }

    // MARK: Commands

    /// Returns the commands whose outcome isn't known. If they can't be read, there are none.
    func lostCommands() -> [LostCommand.Stored] {
        (try? read([LostCommand.Stored].self, directory.appending(path: Name.commands))) ?? []
    }

    /// Stores the commands whose outcome isn't known.
    func store(_ commands: [LostCommand.Stored]) throws(HubError) {
        try write(commands, directory.appending(path: Name.commands))
    }

    // MARK: Hubs

    /// Returns a joined hub; `nil` if it can't be read.
    func hub(_ id: UUID) -> StoredHub? {
        (try? read(StoredHub.self, folder(of: id).appending(path: Name.hub))) ?? nil
    }

    /// Returns the joined hubs, in the order in which they were joined.
    func hubs() throws(HubError) -> [StoredHub] {
        let folder = directory.appending(path: Name.hubs)
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            throw HubError(.storeFailure, "\(folder.path) can't be read: \(error.localizedDescription)")
        }
        var hubs: [StoredHub] = []
        for name in names where UUID(uuidString: name) != nil {
            let file = folder.appending(path: name).appending(path: Name.hub)
            // A folder without the file is what a removal left that was interrupted.
            if let hub = try read(StoredHub.self, file) {
                hubs.append(hub)
            } else {
                try? FileManager.default.removeItem(at: folder.appending(path: name))
            }
        }
        return hubs.sorted { ($0.joined, $0.id.uuidString) < ($1.joined, $1.id.uuidString) }
    }

    /// Stores a hub.
    package func store(_ hub: StoredHub) throws(HubError) {
        try Self.prepare(folder(of: hub.id).path)
        try write(hub, folder(of: hub.id).appending(path: Name.hub))
    }

    /// Deletes the device's keys and its copy of a hub: the keys first.
    func remove(_ hub: UUID) {
        try? FileManager.default.removeItem(at: folder(of: hub).appending(path: Name.hub))
        try? FileManager.default.removeItem(at: folder(of: hub))
    }

    /// Returns the path of a hub's copy.
    func copyPath(of hub: UUID) -> String { folder(of: hub).appending(path: Name.copy).path }

    // MARK: Feeds

    /// Returns what the device stores of its feed at a hub. New keys are stored at once, because whatever is encrypted for
    /// them can't be read without.
    func feedSettings(of hub: UUID) throws(HubError) -> FeedSettings {
        let file = folder(of: hub).appending(path: Name.feed)
        if let settings = try read(FeedSettings.self, file) { return settings }
        let settings = FeedSettings()
        try write(settings, file)
        return settings
    }

    /// Stores what the device knows of its feed at a hub.
    func store(_ settings: FeedSettings, of hub: UUID) throws(HubError) {
        try write(settings, folder(of: hub).appending(path: Name.feed))
    }

    private func folder(of hub: UUID) -> URL {
        directory.appending(path: Name.hubs).appending(path: hub.uuidString)
    }

    // MARK: Files

    private func read<Value: Decodable>(_ type: Value.Type, _ file: URL) throws(HubError) -> Value? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            return try JSONDecoder().decode(type, from: Data(contentsOf: file))
        } catch {
            throw HubError(
                .storeFailure,
                "\(file.path) can't be read: \(error). Restore it, or remove it and join again."
            )
        }
    }

    private func write(_ value: some Encodable, _ file: URL) throws(HubError) {
        let data: Data
        do {
            data = try JSONEncoder().encode(value)
        } catch {
            throw HubError(.storeFailure, "\(file.path) can't be written: \(error)")
        }
        try write(data, file)
    }

    /// Replaces a file in one step, so that a crash leaves the old one or the new one.
    private func write(_ data: Data, _ file: URL) throws(HubError) {
        let temporary = file.path + ".new"
        func failure() -> HubError {
            HubError(.storeFailure, "\(file.path) can't be written: \(String(cString: strerror(errno))).")
        }
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, Self.fileMode)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0, rename(temporary, file.path) == 0 else { throw failure() }
        let folder = open(file.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }
}
