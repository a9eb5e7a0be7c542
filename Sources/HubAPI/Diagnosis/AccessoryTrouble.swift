/// What is the matter with an accessory: the one vocabulary of causes, for lists, errors, events and diagnoses.
///
/// Codes are open: a reader that does not know one shows the text that came with it.
package struct AccessoryTrouble: Hashable, Sendable, Codable, RawRepresentable {
    /// The cause in one word.
    package var rawValue: String

    /// Wraps a word.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// What is wrong, for people, without a full stop: what was seen may follow.
    package var text: String {
        Self.words[self]?.text ?? "Something is wrong with the accessory (\(rawValue))"
    }

    /// What a person does about it; empty for a cause that is not known here.
    package var advice: String { Self.words[self]?.advice ?? "" }

    /// What is wrong in a sentence, with what was seen.
    package func statement(_ detail: String? = nil) -> String {
        detail.map { "\(text): \($0)." } ?? "\(text)."
    }

    /// What is wrong and what to do.
    package func explanation(_ detail: String? = nil) -> String {
        advice.isEmpty ? statement(detail) : "\(statement(detail)) \(advice)"
    }
}

extension AccessoryTrouble {
    // MARK: The hub

    /// A person shut it out.
    package static let blocked = Self(rawValue: "blocked")
    /// The home has it, but no keys for it.
    package static let noPairing = Self(rawValue: "noPairing")
    /// The hub has just begun to look for it.
    package static let connecting = Self(rawValue: "connecting")
    /// It can be reached, yet the hub's own connection does not stand.
    package static let reconnecting = Self(rawValue: "reconnecting")

    // MARK: The network

    /// It does not announce itself.
    package static let notAdvertised = Self(rawValue: "notAdvertised")
    /// It can be reached, yet is not heard to announce itself.
    package static let unannounced = Self(rawValue: "unannounced")
    /// It announces itself without all that it takes to connect to it.
    package static let incompletelyAdvertised = Self(rawValue: "incompletelyAdvertised")
    /// Its addresses are in no network of this machine.
    package static let otherNetwork = Self(rawValue: "otherNetwork")
    /// It has no address but an IPv6 address of the link.
    package static let linkLocalOnly = Self(rawValue: "linkLocalOnly")
    /// Two that are not at one place announce its id.
    package static let duplicateID = Self(rawValue: "duplicateID")
    /// Nothing listens at its address.
    package static let refused = Self(rawValue: "refused")
    /// It does not answer in time.
    package static let timedOut = Self(rawValue: "timedOut")
    /// There is no way to its address.
    package static let noRoute = Self(rawValue: "noRoute")
    /// The connection ends too soon.
    package static let connectionLost = Self(rawValue: "connectionLost")
    /// It takes no further connection.
    package static let busy = Self(rawValue: "busy")

    // MARK: Who it is

    /// It announces that it is paired with nobody, and does not take this home's pairing.
    package static let wasReset = Self(rawValue: "wasReset")
    /// It proved who it is, and does not know this home.
    package static let pairingForgotten = Self(rawValue: "pairingForgotten")
    /// What answers refuses the pairing and has proved nothing.
    package static let pairingRefused = Self(rawValue: "pairingRefused")
    /// What answers has its id and another key.
    package static let identityChanged = Self(rawValue: "identityChanged")
    /// What answers is another accessory.
    package static let otherAccessory = Self(rawValue: "otherAccessory")
    /// What answers could not prove anything.
    package static let unverified = Self(rawValue: "unverified")

    // MARK: What it says

    /// It answers with an HTTP error.
    package static let httpError = Self(rawValue: "httpError")
    /// It says what HAP does not allow.
    package static let protocolViolation = Self(rawValue: "protocolViolation")
    /// What it tells of itself makes no sense.
    package static let unreadableDatabase = Self(rawValue: "unreadableDatabase")
    /// It announces another configuration than the hub has read.
    package static let configurationDiffers = Self(rawValue: "configurationDiffers")
    /// It is behind a bridge that has it no more.
    package static let missingOnBridge = Self(rawValue: "missingOnBridge")
    /// It says that it cannot reach the device itself.
    package static let deviceUnreachable = Self(rawValue: "deviceUnreachable")
    /// It does not give some values.
    package static let readFailed = Self(rawValue: "readFailed")
    /// It takes long to answer.
    package static let slow = Self(rawValue: "slow")
    /// It does not take subscriptions.
    package static let notSubscribed = Self(rawValue: "notSubscribed")
    /// It does not tell of changes.
    package static let eventsLost = Self(rawValue: "eventsLost")

    // MARK: How it is

    /// Its battery is low.
    package static let batteryLow = Self(rawValue: "batteryLow")
    /// It reports a fault.
    package static let faultReported = Self(rawValue: "faultReported")
    /// It reports that somebody tampered with it.
    package static let tampered = Self(rawValue: "tampered")
    /// Its clock and this machine's differ.
    package static let clockWrong = Self(rawValue: "clockWrong")

    private static let words: [AccessoryTrouble: (text: String, advice: String)] = [
        .blocked: ("The accessory is blocked", "Unblock it to use it again."),
        .noPairing: ("The home has no pairing with the accessory", "Reset the accessory and add it again."),
        .connecting: (
            "The hub is connecting to the accessory for the first time since it started", "Wait a few seconds."
        ),
        .reconnecting: (
            "The accessory can be reached, but the hub's own connection to it does not stand",
            "Nothing has to be done: the hub connects again by itself within a minute."
        ),
        .notAdvertised: (
            "The accessory is not on the network", "Check that it has power and is on the same network as the hub."
        ),
        .unannounced: (
            "The accessory answers, but is not heard on the network",
            "See that multicast DNS passes between it and the hub (router, access point, firewall): else the hub loses it when "
                + "its address changes."
        ),
        .incompletelyAdvertised: (
            "The accessory announces itself, but does not tell all that it takes to connect to it",
            "Restart it. If it stays so, see that multicast DNS passes both ways between it and the hub (router, access point, "
                + "firewall)."
        ),
        .otherNetwork: (
            "The accessory's address is in none of the hub's networks",
            "Put both into one network, or see that the router lets the hub connect to the accessory."
        ),
        .linkLocalOnly: (
            "The accessory has no address but an IPv6 address of the link",
            "See that the network gives it an address: it may be that the router's DHCP did not answer."
        ),
        .duplicateID: (
            "Two accessories on the network have this id",
            "Switch one of them off. A copy of an accessory that is a program needs an id of its own."
        ),
        .refused: ("Nothing listens at the accessory's address", "It may be starting; if not, restart it."),
        .timedOut: ("The accessory does not answer", "Check that it has power and is in range."),
        .noRoute: ("The accessory's address can't be reached from here", "Check the network of the hub's machine."),
        .connectionLost: ("The accessory ends the connection", "Restart it."),
        .busy: (
            "The accessory takes no further connection",
            "Wait a minute. If it stays so, end other apps and hubs that use it, or restart it."
        ),
        .wasReset: (
            "The accessory was reset: it announces that it is paired with nobody",
            "Add it again; it keeps its place in the home."
        ),
        .pairingForgotten: (
            "The accessory has forgotten this home", "Reset it and add it again; it keeps its place in the home."
        ),
        .pairingRefused: (
            "What answers at the accessory's address refuses this home's pairing",
            "If the accessory was reset, add it again; it keeps its place in the home. If not, something else has its "
                + "address."
        ),
        .identityChanged: (
            "What answers has the accessory's id, but another key than when it was added",
            "If the accessory was reset, add it again; it keeps its place in the home. If not, something passes itself "
                + "off as it: find out what has its address."
        ),
        .otherAccessory: ("Another accessory answers at this accessory's address", "Check that this one has power."),
        .unverified: (
            "What answers could not prove to be the accessory",
            "Restart the accessory. If it stays so, find out what has its address."
        ),
        .httpError: ("The accessory answers with an error", "Restart it; if it stays so, look for new firmware."),
        .protocolViolation: (
            "The accessory does not keep to its protocol", "Restart it; if it stays so, look for new firmware."
        ),
        .unreadableDatabase: (
            "What the accessory tells of itself can't be read", "Restart it; if it stays so, look for new firmware."
        ),
        .configurationDiffers: (
            "The accessory announces another configuration than the hub has read",
            "Nothing has to be done: the hub reads it anew. If it stays so, restart the accessory."
        ),
        .missingOnBridge: (
            "The accessory's bridge no longer has it",
            "Look for it in the bridge's own app, and connect it there again."
        ),
        .deviceUnreachable: (
            "The accessory answers, but says that it can't reach the device",
            "Check the device's power or battery, and how far it is from its bridge."
        ),
        .readFailed: ("The accessory does not give all of its values", "Restart it."),
        .slow: ("The accessory takes long to answer", "Check how strong its radio signal is."),
        .notSubscribed: ("The accessory does not let the hub hear of its changes", "Restart it."),
        .eventsLost: (
            "The accessory changes without telling", "Restart it; if it stays so, look for new firmware."
        ),
        .batteryLow: ("The accessory's battery is low", "Change or charge the battery."),
        .faultReported: ("The accessory reports a fault", "See its manual."),
        .tampered: ("The accessory reports that it was tampered with", "Look at the accessory."),
        .clockWrong: (
            "The accessory's clock and the hub's differ", "Set the one that is wrong, or let it reach a time server."
        ),
    ]
}

extension AccessoryTrouble {
    /// Every cause that has words here.
    package static var all: [AccessoryTrouble] { words.keys.sorted { $0.rawValue < $1.rawValue } }
}
