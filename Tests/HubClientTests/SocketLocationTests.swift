import Foundation
import Glibc
import HubAPI
import HubServer
import LocalRPCSockets
import Testing

struct SocketLocationTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func listen(_ name: String) async throws(HubError) -> UnixSocketListener {
        try await UnixSocketListener.start(path: folder.path(name), of: "hub", acceptor: ScriptedHub())
    }

    private func refusal(of name: String) async -> HubError? {
        do {
            let listener = try await listen(name)
            await listener.stop()
            return nil
        } catch {
            return error
        }
    }

    /// Leaves a socket behind that no process serves.
    private func leaveSocket(_ name: String) async throws {
        let listener = try await listen("left-\(name)")
        #expect(link(folder.path("left-\(name)"), folder.path(name)) == 0)
        await listener.stop()
    }

    @Test func theFolderAndTheSocketAreForTheirOwnerOnly() async throws {
        let listener = try await listen("run/hearth/hub.sock")
        #expect(try folder.mode("run") == 0o700)
        #expect(try folder.mode("run/hearth") == 0o700)
        #expect(try folder.mode("run/hearth/hub.sock") == 0o600)
        await listener.stop()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("run/hearth")).isEmpty)
    }

    @Test(arguments: [0o770, 0o707, 0o1777])
    func aFolderThatOthersCanWriteIsRefused(mode: mode_t) async throws {
        #expect(mkdir(folder.path("open"), 0o700) == 0)
        #expect(chmod(folder.path("open"), mode) == 0)
        let error = await refusal(of: "open/hub.sock")
        #expect(error?.code == .socketRefused)
        #expect(error?.reason.contains("other users can write") == true)
    }

    @Test func aFolderThatOthersCanReadIsTaken() async throws {
        #expect(mkdir(folder.path("readable"), 0o755) == 0)
        #expect(await refusal(of: "readable/hub.sock") == nil)
    }

    @Test func aLivingHubIsLeftAlone() async throws {
        let listener = try await listen("hub.sock")
        let error = await refusal(of: "hub.sock")
        #expect(error == HubError(.alreadyRunning, "A hub is already running at \(folder.path("hub.sock"))."))
        _ = try RawSocket(connectedTo: folder.path("hub.sock"))
        await listener.stop()
    }

    @Test func aDeadHubsSocketIsReplaced() async throws {
        try await leaveSocket("hub.sock")
        #expect(throws: RawSocket.Failure.self) { try RawSocket(connectedTo: folder.path("hub.sock")) }
        let listener = try await listen("hub.sock")
        _ = try RawSocket(connectedTo: folder.path("hub.sock"))
        await listener.stop()
    }

    @Test func whatIsNoSocketIsNotReplaced() async throws {
        try Data("precious".utf8).write(to: URL(filePath: folder.path("hub.sock")))
        #expect(await refusal(of: "hub.sock")?.code == .socketRefused)
        #expect(try Data(contentsOf: URL(filePath: folder.path("hub.sock"))) == Data("precious".utf8))
    }

    @Test func aFileInThePlaceOfTheFolderIsRefused() async throws {
        try Data().write(to: URL(filePath: folder.path("file")))
        #expect(await refusal(of: "file/hub.sock")?.code == .socketRefused)
    }

    @Test func aPathTooLongForASocketIsRefused() async throws {
        #expect(await refusal(of: String(repeating: "x", count: 120))?.reason.contains("too long") == true)
    }

    @Test func aStoppingHubLeavesAnotherHubsSocketAlone() async throws {
        let first = try await listen("hub.sock")
        #expect(unlink(folder.path("hub.sock")) == 0)
        let second = try await listen("hub.sock")
        await first.stop()
        _ = try RawSocket(connectedTo: folder.path("hub.sock"))
        await second.stop()
        #expect(!FileManager.default.fileExists(atPath: folder.path("hub.sock")))
    }

    @Test func whoLocksTheFolderKeepsNoHubFromStarting() async throws {
        #expect(mkdir(folder.path("readable"), 0o755) == 0)
        let descriptor = open(folder.path("readable"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        #expect(await refusal(of: "readable/hub.sock") == nil)
    }

    @Test func theLockOfAHubThatWasKilledAsItStartedIsTakenOver() async throws {
        let descriptor = open(folder.path("hub.sock.lock"), O_RDONLY | O_CREAT | O_CLOEXEC, 0o600)
        close(descriptor)
        #expect(await refusal(of: "hub.sock") == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.path("hub.sock.lock")))
    }

    @Test func aLockThatOthersCanTakeOrThatIsNoneIsRefusedAndStays() async throws {
        let lock = folder.path("hub.sock.lock")
        try Data("precious".utf8).write(to: URL(filePath: lock))
        #expect(chmod(lock, 0o600) == 0)
        #expect(await refusal(of: "hub.sock")?.reason.contains("not a lock of this user") == true)
        #expect(try Data(contentsOf: URL(filePath: lock)) == Data("precious".utf8))
        try Data().write(to: URL(filePath: lock))
        #expect(chmod(lock, 0o644) == 0)
        #expect(await refusal(of: "hub.sock")?.reason.contains("not a lock of this user") == true)
        #expect(unlink(lock) == 0 && symlink(folder.path("elsewhere"), lock) == 0)
        #expect(await refusal(of: "hub.sock")?.code == .socketRefused)
        #expect(!FileManager.default.fileExists(atPath: folder.path("elsewhere")))
        #expect(unlink(lock) == 0 && mkfifo(lock, 0o600) == 0)
        #expect(await refusal(of: "hub.sock")?.code == .socketRefused)
    }

    @Test func ofHubsThatStartAtOnceOverADeadOnesSocketExactlyOneRuns() async throws {
        try await leaveSocket("hub.sock")
        let results = await withTaskGroup(of: Result<UnixSocketListener, HubError>.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    do throws(HubError) {
                        return .success(try await listen("hub.sock"))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let running = results.compactMap { try? $0.get() }
        #expect(running.count == 1)
        for case .failure(let error) in results { #expect(error.code == .alreadyRunning) }
        for listener in running { await listener.stop() }
    }
}
