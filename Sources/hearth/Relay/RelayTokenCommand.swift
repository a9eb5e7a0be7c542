import ArgumentParser
import Foundation
import Relay
import RelayAPI

/// `hearth relay token`: makes a registration token.
struct RelayTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make a registration token.",
        discussion: """
            Whoever has the token can register houses at the relay, one for each hub. The relay may be running. It stores \
            a hash of the token, so the token can't be shown again.

            Example: hearth relay token --uses 3
            """
    )

    /// The JSON output.
    private struct Made: Encodable {
        var token: String
        var uses: Int
        var expires: Date
    }

    @OptionGroup
    var storage: RelayStoreOptions

    @Option(help: ArgumentHelp("The number of houses that it can register.", valueName: "count"))
    var uses = 1

    @Option(help: ArgumentHelp("The number of days that it is valid.", valueName: "days"))
    var days = 7

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard (1...10_000).contains(uses) else { throw ValidationError("--uses must be 1 to 10000.") }
        guard (1...3_650).contains(days) else { throw ValidationError("--days must be 1 to 3650.") }
    }

    func run() async throws {
        let opened = try await storage.openBeside()
        let token = RegistrationToken()
        let expires = Date() + TimeInterval(days) * 86_400
        let time = Int64(expires.timeIntervalSince1970 * 1_000)
        let grant = RegistrationGrant(hash: token.hash, houseClass: .home, uses: uses, expires: time)
        do throws(RelayStoreError) {
            try await opened.store.add(grant)
        } catch {
            await opened.close()
            throw CommandFailure("storeFailure", error.reason)
        }
        await opened.close()
        if json {
            JSONLine(Made(token: token.text, uses: uses, expires: expires)).print()
        } else {
            ProgramOutput.line(token.text)
        }
    }
}
