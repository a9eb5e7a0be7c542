import DNSSD
import HAP
import HAPServer

/// What a scenario's accessory is.
struct Setting: Sendable {
    /// The accessory's ID and keys.
    let identity: AccessoryIdentity
    /// The setup code.
    let code: SetupCode
}

/// How a scenario's accessory differs from a good bridge.
struct Behavior: Sendable {
    /// The trap, if there is one.
    var trap: Trap?
    /// The maximum length of the content of a frame, or `nil` for that of HAP.
    var frameLength: Int?
    /// The length of the pieces in which everything is sent, or `nil` to send messages whole.
    var pieceLength: Int?
    /// Returns the TXT record to advertise.
    ///
    /// `isSprung` tells whether the trap has been sprung.
    var advertisement: @Sendable (_ record: TXTRecord, _ isSprung: Bool) -> TXTRecord = { record, _ in record }
    /// The bridge, and the accessories behind it.
    var accessories = [ScenarioAccessory.bridge, ScenarioAccessory.lamp]
    /// The bridge and the accessories once the trap is sprung, which changes the configuration number, or `nil` if they
    /// stay.
    var accessoriesWhenSprung: [HostedAccessory]?
    /// Whether the bridge takes no request between the trap and the change, as if it restarted.
    var restartsWhenSprung = false
    /// Returns why a request isn't exactly as HAP says, or `nil` if it is. Such a request gets HTTP 400.
    var objection: @Sendable (HTTPRequest) -> String? = { _ in nil }
}
