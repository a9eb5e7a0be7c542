import HAP
import WirelessSetup

extension FuzzTarget {
    /// The configuration of an accessory: what is accepted is encoded and decoded unchanged, and no other bytes crash
    /// either side.
    static let wirelessSetup = FuzzTarget("wireless-setup", maximumLength: 1_100) { input throws(Violation) in
        var controller = SetupController()
        try hold((try? controller.handleExchange(input)) == nil, "no one can guess the exchanged keys")
        var responder = SetupResponder(information: SetupInformation())
        if (try? responder.exchange(input)) != nil { try hold(input.count == 33, "a key exchange has 33 bytes") }
        if let information = try? SetupInformation(decoding: input) {
            try hold(
                (try? SetupInformation(decoding: information.encoded())) == information,
                "information is encoded unchanged"
            )
        }
        guard let configuration = try? SetupConfiguration(decoding: input) else { return false }
        try hold(
            (try? SetupConfiguration(decoding: configuration.encoded())) == configuration,
            "a configuration is encoded unchanged"
        )
        return true
    }
}
