import ArgumentParser

/// `hearth relay`: runs a relay.
struct RelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay",
        abstract: "Run a relay for hubs and devices away from home.",
        discussion: """
            A relay keeps what hubs leave for the devices of their homes, and can't read it. Hubs need a registration token; \
            see “hearth relay token”. Beyond this machine, a relay needs a certificate, or a proxy on this machine that \
            encrypts. Ctrl-C stops it. Under systemd, it notifies the service manager when it is ready.

            Example: hearth relay --data /var/lib/hearth-relay --http 127.0.0.1:8480 --url https://relay.example.org
            """,
        subcommands: [RelayServeCommand.self, RelayTokenCommand.self, RelayMigrateCommand.self],
        defaultSubcommand: RelayServeCommand.self
    )
}
