import ArgumentParser
import RelayAPI
import RelayPostgres

/// `hearth relay migrate`: prepares a database for this version.
struct RelayMigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Prepare a relay's PostgreSQL database for this version.",
        discussion: """
            Run it once, with the new version, before you restart the relays that share the database. Relays of the former \
            version go on meanwhile. A database that this version can use already is left unchanged.

            Example: hearth relay migrate --postgres postgres://db.example.org/relay
            """
    )

    /// The JSON output.
    private struct Migrated: Encodable {
        var from: Int
        var to: Int
    }

    @Option(help: ArgumentHelp("The database.", valueName: "url"))
    var postgres: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let versions: (from: Int, to: Int)
        do throws(RelayStoreError) {
            versions = try await RelayPostgres.migrate(postgres)
        } catch {
            throw CommandFailure("storeFailure", error.reason)
        }
        if json {
            JSONLine(Migrated(from: versions.from, to: versions.to)).print()
        } else if versions.from == versions.to {
            ProgramOutput.line("The database has format \(versions.to) already.")
        } else {
            ProgramOutput.line("The database has format \(versions.to) now.")
        }
    }
}
