/// A code for a problem with an accessory, used in lists, errors, events and diagnoses.
///
/// Unknown codes are preserved: a client that doesn't know a code shows the text that came with it.
package struct AccessoryTrouble: Hashable, Sendable, Codable, RawRepresentable {
    /// The code.
    package var rawValue: String

    /// Creates a problem from its code.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A sentence that describes the problem, without the period, so that an observation can follow.
    package var text: String {
        Self.texts[self]?.text ?? "Something is wrong with the accessory (\(rawValue))"
    }

    /// The advice for the user; empty for an unknown code.
    package var advice: String { Self.texts[self]?.advice ?? "" }

    /// Returns a sentence that describes the problem, followed by an observation if one is given.
    package func statement(_ detail: String? = nil) -> String {
        detail.map { "\(text): \($0)." } ?? "\(text)."
    }

    /// Returns the description of the problem, followed by the advice.
    package func explanation(_ detail: String? = nil) -> String {
        advice.isEmpty ? statement(detail) : "\(statement(detail)) \(advice)"
    }
}

extension AccessoryTrouble {
    // MARK: The hub

    /// A user blocked the accessory.
    package static let blocked = Self(rawValue: "blocked")
    /// The accessory is in the home, but the hub has no pairing with it.
    package static let noPairing = Self(rawValue: "noPairing")
    /// The hub started recently and is connecting to the accessory.
    package static let connecting = Self(rawValue: "connecting")
    /// The accessory stores no further pairing, so only one of the home's hubs controls it.
    package static let noRoomForHub = Self(rawValue: "noRoomForHub")
    /// Only the other hub of the home is paired with the accessory.
    package static let onlyOtherHub = Self(rawValue: "onlyOtherHub")
    /// The accessory refused to prepare a write, so it carries out late what an automation writes late.
    package static let unprepared = Self(rawValue: "unprepared")
    /// The accessory is reachable, but the hub's own connection to it is not open.
    package static let reconnecting = Self(rawValue: "reconnecting")

    // MARK: The network

    /// The accessory isn't advertised on the network.
    package static let notAdvertised = Self(rawValue: "notAdvertised")
    /// The accessory is reachable, but the hub receives no advertisement from it.
    package static let unannounced = Self(rawValue: "unannounced")
    /// The advertisement lacks something that the hub needs to connect.
    package static let incompletelyAdvertised = Self(rawValue: "incompletelyAdvertised")
    /// The accessory's addresses are in none of this machine's networks.
    package static let otherNetwork = Self(rawValue: "otherNetwork")
    /// The accessory has only a link-local IPv6 address.
    package static let linkLocalOnly = Self(rawValue: "linkLocalOnly")
    /// Two accessories at different addresses advertise the same device ID.
    package static let duplicateID = Self(rawValue: "duplicateID")
    /// Nothing listens at the accessory's address.
    package static let refused = Self(rawValue: "refused")
    /// The accessory doesn't respond in time.
    package static let timedOut = Self(rawValue: "timedOut")
    /// There is no route to the accessory's address.
    package static let noRoute = Self(rawValue: "noRoute")
    /// The accessory closes the connection early.
    package static let connectionLost = Self(rawValue: "connectionLost")
    /// The accessory doesn't accept another connection.
    package static let busy = Self(rawValue: "busy")

    // MARK: Identity

    /// The accessory advertises that it isn't paired, and rejects this home's pairing.
    package static let wasReset = Self(rawValue: "wasReset")
    /// The accessory proved its identity and doesn't know this home.
    package static let pairingForgotten = Self(rawValue: "pairingForgotten")
    /// The peer rejects the pairing and hasn't proved its identity.
    package static let pairingRefused = Self(rawValue: "pairingRefused")
    /// The peer has the accessory's device ID but a different key.
    package static let identityChanged = Self(rawValue: "identityChanged")
    /// The peer is a different accessory.
    package static let otherAccessory = Self(rawValue: "otherAccessory")
    /// The peer couldn't prove its identity.
    package static let unverified = Self(rawValue: "unverified")

    // MARK: Responses

    /// The accessory responds with an HTTP error.
    package static let httpError = Self(rawValue: "httpError")
    /// The accessory violates HAP.
    package static let protocolViolation = Self(rawValue: "protocolViolation")
    /// The accessory's attribute database is invalid.
    package static let unreadableDatabase = Self(rawValue: "unreadableDatabase")
    /// The accessory advertises a different configuration number than the one that the hub has read.
    package static let configurationDiffers = Self(rawValue: "configurationDiffers")
    /// The bridge no longer has the accessory.
    package static let missingOnBridge = Self(rawValue: "missingOnBridge")
    /// The accessory reports that it can't reach the device.
    package static let deviceUnreachable = Self(rawValue: "deviceUnreachable")
    /// The accessory doesn't return some values.
    package static let readFailed = Self(rawValue: "readFailed")
    /// The accessory responds slowly.
    package static let slow = Self(rawValue: "slow")
    /// The accessory rejects subscriptions.
    package static let notSubscribed = Self(rawValue: "notSubscribed")
    /// The accessory doesn't send events for its changes.
    package static let eventsLost = Self(rawValue: "eventsLost")

    // MARK: Condition

    /// The accessory's battery is low.
    package static let batteryLow = Self(rawValue: "batteryLow")
    /// The accessory reports a fault.
    package static let faultReported = Self(rawValue: "faultReported")
    /// The accessory reports tampering.
    package static let tampered = Self(rawValue: "tampered")
    /// The accessory's clock and this machine's clock differ.
    package static let clockWrong = Self(rawValue: "clockWrong")

    private static let texts: [AccessoryTrouble: (text: String, advice: String)] = [
        .blocked: ("The accessory is blocked", "Unblock it to use it again."),
        .noPairing: ("The home has no pairing with the accessory", "Reset the accessory and add it again."),
        .noRoomForHub: (
            "The accessory has no room for the pairing of the home's other hub",
            "It works only while this hub runs. Remove another controller from it in that controller's app."
        ),
        .onlyOtherHub: (
            "Only the home's other hub is paired with the accessory",
            "This hub is, too, as soon as the other hub reaches the accessory. If that has no room for another pairing, remove "
                + "another controller from it in that controller's app."
        ),
        .unprepared: (
            "The accessory doesn't prepare writes, so it carries out late what an automation writes late",
            "You don't have to do anything, unless an automation of this accessory must never run late."
        ),
        .connecting: (
            "The hub is connecting to the accessory for the first time since it started", "Wait a few seconds."
        ),
        .reconnecting: (
            "The accessory can be reached, but the hub is not connected to it",
            "You don't have to do anything: the hub reconnects automatically within a minute."
        ),
        .notAdvertised: (
            "The accessory was not found on the network",
            "Check that it has power and is on the same network as the hub."
        ),
        .unannounced: (
            "The accessory responds, but its announcements don't reach the hub",
            "Check that multicast DNS passes between it and the hub (router, access point, firewall). Otherwise the hub "
                + "loses it when its address changes."
        ),
        .incompletelyAdvertised: (
            "The accessory's announcement lacks something that the hub needs to connect",
            "Restart it. If the problem persists, check that multicast DNS passes both ways between it and the hub (router, "
                + "access point, firewall)."
        ),
        .otherNetwork: (
            "The accessory's address is in none of the hub's networks",
            "Put both in the same network, or configure the router to let the hub connect to the accessory."
        ),
        .linkLocalOnly: (
            "The accessory has only a link-local IPv6 address",
            "Check that the network assigns it an address: the router's DHCP server may not have responded."
        ),
        .duplicateID: (
            "Two accessories on the network have this ID",
            "Turn one of them off. A copy of a simulated accessory needs its own ID."
        ),
        .refused: (
            "Nothing listens at the accessory's address", "If it isn't starting up, restart it."
        ),
        .timedOut: ("The accessory does not respond", "Check that it has power and is in range."),
        .noRoute: ("The accessory's address can't be reached from the hub", "Check the network of the hub's machine."),
        .connectionLost: ("The accessory closes the connection", "Restart it."),
        .busy: (
            "The accessory does not accept another connection",
            "Wait a minute. If the problem persists, quit other apps and hubs that use it, or restart it."
        ),
        .wasReset: (
            "The accessory was reset: it announces that it isn't paired",
            "Add it again; it keeps its name and room."
        ),
        .pairingForgotten: (
            "The accessory has forgotten this home", "Reset it and add it again; it keeps its name and room."
        ),
        .pairingRefused: (
            "The device at the accessory's address rejects this home's pairing",
            "If the accessory was reset, add it again; it keeps its name and room. If not, another device uses its "
                + "address."
        ),
        .identityChanged: (
            "The device at the accessory's address has its ID, but not the key that it had when it was added",
            "If the accessory was reset, add it again; it keeps its name and room. If not, another device may be "
                + "impersonating it: find out which device has its address."
        ),
        .otherAccessory: (
            "Another accessory responds at this accessory's address", "Check that this accessory has power."
        ),
        .unverified: (
            "The device at the accessory's address can't prove its identity",
            "Restart the accessory. If the problem persists, find out which device has its address."
        ),
        .httpError: (
            "The accessory responds with an error", "Restart it. If the problem persists, update its firmware."
        ),
        .protocolViolation: (
            "The accessory violates its protocol", "Restart it. If the problem persists, update its firmware."
        ),
        .unreadableDatabase: (
            "The accessory's description can't be read", "Restart it. If the problem persists, update its firmware."
        ),
        .configurationDiffers: (
            "The accessory announces a different configuration than the one that the hub has read",
            "You don't have to do anything: the hub reads it again. If the problem persists, restart the accessory."
        ),
        .missingOnBridge: (
            "The accessory's bridge no longer has it",
            "Find it in the bridge's own app and connect it there again."
        ),
        .deviceUnreachable: (
            "The accessory responds, but reports that it can't reach the device",
            "Check the device's power or battery, and its distance from the bridge."
        ),
        .readFailed: ("The accessory does not return all of its values", "Restart it."),
        .slow: ("The accessory responds slowly", "Check its signal strength."),
        .notSubscribed: ("The accessory does not let the hub subscribe to its changes", "Restart it."),
        .eventsLost: (
            "The accessory does not report its changes", "Restart it. If the problem persists, update its firmware."
        ),
        .batteryLow: ("The accessory's battery is low", "Replace or charge the battery."),
        .faultReported: ("The accessory reports a fault", "Consult its manual."),
        .tampered: ("The accessory reports that it was tampered with", "Inspect the accessory."),
        .clockWrong: (
            "The accessory's clock and the hub's differ",
            "Set the clock that is wrong, or give it access to a time server."
        ),
    ]
}

extension AccessoryTrouble {
    /// All codes that have a text here.
    package static var all: [AccessoryTrouble] { texts.keys.sorted { $0.rawValue < $1.rawValue } }
}
