import Foundation
import PeerProcess
import Synchronization

@testable import RelayPostgres

/// A PostgreSQL server with a folder of its own, which ends and is removed with the test process, however that ends.
final class PostgresServer: Sendable {
    // This is a class because it is one process.

    private static let ready = "database system is ready to accept connections"
    /// The user that the server runs as if the tests run as root, which it refuses.
    private static let user = "postgres"

    /// A shell that starts the server, obeys the test, and tidies up when its input ends. The mount is for a full disk: a
    /// file system of its own, which a file fills up to a rest.
    private static let script = """
        bin=$(ls -d /usr/lib/postgresql/*/bin | sort --version-sort | tail -n 1)
        if [ -n "$template" ]; then
            cp -a "$template" data
        else
            "$bin/initdb" -D data -A trust -U postgres -E UTF8 --locale=C --no-sync >/dev/null || exit 1
            cp -a data empty
        fi
        start() {
            setpriv --pdeathsig QUIT "$bin/postgres" -D data -k "$PWD" -c listen_addresses= -c shared_buffers=16MB -c max_connections=80 2>&1 &
            server=$!
        }
        everybody() { echo "$server" $(ps -o pid= --ppid "$server"); }
        start
        while read -r word; do
            case $word in
            crash) kill -QUIT "$server"; wait "$server"; echo crashed ;;
            start) start ;;
            freeze) kill -STOP $(everybody); echo frozen ;;
            thaw) kill -CONT $(everybody); echo thawed ;;
            free) rm small/filler; echo freed ;;
            esac
        done
        kill -CONT $(everybody) 2>/dev/null
        kill -QUIT "$server" && wait "$server"
        cd / && rm -rf "$folder"
        """

    private let shell: PeerProcess
    let folder: URL

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - smallDisk: The size in megabytes of a file system that is half full, for the table space `small`.
    ///   - template: A server of which this one copies the empty databases, which is quicker than to make them.
    init(smallDisk: Int? = nil, like template: PostgresServer? = nil) async throws {
        folder = URL(filePath: "/tmp/hearth-postgres-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let isRoot = geteuid() == 0
        if isRoot { try await ShellScript.run("chown \(Self.user) \(folder.path)") }
        let person = isRoot ? "--reuid \(Self.user) --regid \(Self.user) --clear-groups" : ""
        let quiet =
            "cd \(folder.path); folder=\(folder.path); template=\(template.map { $0.folder.path + "/empty" } ?? "")\n"
        var before = ""
        if let smallDisk {
            before = """
                mkdir small; mount -t tmpfs -o size=\(smallDisk)m none small; mkdir small/space
                chown \(Self.user) small small/space
                head -c \(smallDisk / 2)M /dev/zero >small/filler; chown \(Self.user) small/filler
                """
        }
        let program = "\(before)\nexec setpriv \(person) --pdeathsig clear /bin/bash -c \"$0\""
        shell = try PeerProcess(
            URL(filePath: "/usr/bin/unshare"),
            (smallDisk == nil ? [] : ["--mount", "--propagation", "private"])
                + ["/bin/bash", "-c", "cd \(folder.path)\n" + program, quiet + Self.script]
        )
        try await isReady()
    }

    private func isReady() async throws {
        _ = try await shell.line("the server's start") { $0.contains(Self.ready) }
    }

    /// The parameters of a connection.
    ///
    /// - Parameter schema: The schema in which tables are.
    func url(_ database: String = "postgres", schema: String? = nil) -> String {
        let options = schema.map { " options='-c search_path=\($0)'" } ?? ""
        return "host=\(folder.path) user=postgres dbname=\(database)\(options)"
    }

    /// Runs statements.
    func run(_ sql: String, in database: String = "postgres") throws {
        let connection = try PostgresConnection(url(database), LibPQ(), patience: .seconds(60))
        try connection.script(sql)
    }

    /// Returns the first value that a statement returns.
    func number(_ sql: String, in database: String = "postgres", schema: String? = nil) throws -> Int64? {
        let connection = try PostgresConnection(url(database, schema: schema), LibPQ(), patience: .seconds(60))
        return try connection.run(PostgresStatement("number", sql)).number(0, 0)
    }

    /// Ends the server as a crash does.
    func crash() async throws { try await tell("crash", "crashed") }

    /// Starts the server again.
    func start() async throws {
        try shell.send("start")
        try await isReady()
    }

    /// Stops all of the server's processes without ending them.
    func freeze() async throws { try await tell("freeze", "frozen") }

    /// Lets the processes go on.
    func thaw() async throws { try await tell("thaw", "thawed") }

    /// Makes room on the small disk.
    func makeRoom() async throws { try await tell("free", "freed") }

    private func tell(_ word: String, _ answer: String) async throws {
        try shell.send(word)
        _ = try await shell.line(word) { $0 == answer }
    }

    /// Ends the server, and removes its folder.
    func end() async {
        shell.closeInput()
        await shell.exit()
        // The place of the small disk can't be removed while it is there.
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: The server of all tests

    private static let common = Mutex<Task<PostgresServer, any Error>?>(nil)

    /// The server that the tests share which do nothing to it.
    static func shared() async throws -> PostgresServer {
        let task = common.withLock { common in
            let task = common ?? Task { try await PostgresServer() }
            common = task
            return task
        }
        return try await task.value
    }

    /// Makes a schema of its own for a test, and returns its connection's parameters.
    func newSchema() throws -> String {
        let name = "relay_\(UUID().uuidString.prefix(8).lowercased())"
        try run("CREATE SCHEMA \(name)")
        return url(schema: name)
    }
}
